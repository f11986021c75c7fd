// The published description of the interface, as a stranger's tool would read it: nothing here
// knows the contract package.

export interface Schema {
  readonly type?: string | readonly string[];
  readonly enum?: readonly unknown[];
  readonly const?: unknown;
  readonly oneOf?: readonly Schema[];
  readonly anyOf?: readonly Schema[];
  readonly allOf?: readonly Schema[];
  readonly properties?: Readonly<Record<string, Schema>>;
  readonly required?: readonly string[];
  readonly items?: Schema;
  readonly minItems?: number;
  readonly maxItems?: number;
  readonly minLength?: number;
  readonly maxLength?: number;
  readonly minimum?: number;
  readonly maximum?: number;
  readonly format?: string;
  readonly $ref?: string;
}

interface Parameter {
  readonly name: string;
  readonly in: 'path' | 'query' | 'header';
  readonly required?: boolean;
  readonly schema: Schema;
}

interface Described {
  readonly operationId: string;
  readonly parameters?: readonly (Parameter | { readonly $ref: string })[];
  readonly requestBody?: { readonly content: Readonly<Record<string, { schema: Schema }>> };
  readonly responses: Readonly<Record<string, unknown>>;
  readonly 'x-access'?: string;
}

export interface Document {
  readonly paths: Readonly<Record<string, Readonly<Record<string, Described>>>>;
  readonly components: unknown;
}

export interface DescribedOperation {
  readonly id: string;
  readonly method: string;
  readonly path: string;
  readonly parameters: readonly Parameter[];
  readonly body: Schema | null;
  readonly statuses: ReadonlySet<number>;
  /** Who may call it, as the document says: `anyone`, `credential`, `permission` or `user`. */
  readonly access: string;
}

export type Resolve = (schema: Schema) => Schema;

/** Follows `#/…` references within the document. */
export function resolver(document: Document): Resolve {
  return (schema) => {
    if (schema.$ref === undefined) return schema;
    const steps = schema.$ref.replace(/^#\//, '').split('/');
    return steps.reduce<unknown>(
      (node, step) => (node as Record<string, unknown>)[step],
      document,
    ) as Schema;
  };
}

export function describedOperations(document: Document): DescribedOperation[] {
  const resolve = resolver(document) as (node: unknown) => unknown;
  return Object.entries(document.paths).flatMap(([path, methods]) =>
    Object.entries(methods).map(([method, described]) => ({
      id: described.operationId,
      method: method.toUpperCase(),
      path,
      parameters: (described.parameters ?? []).map((parameter) => resolve(parameter) as Parameter),
      body: described.requestBody?.content['application/json']?.schema ?? null,
      statuses: new Set(Object.keys(described.responses).map(Number).filter(Number.isInteger)),
      access: described['x-access'] ?? 'anyone',
    })),
  );
}
