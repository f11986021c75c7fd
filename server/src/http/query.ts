import type { FieldError } from '@fieldwatch/contract';
import { MAX_ERRORS } from './plain-text.ts';

/** A query's names and values as they were sent, percent-decoded. */
export type QueryPairs = readonly (readonly [name: string, value: string])[];

/** The part of a parameter's schema that reading it needs. */
interface ParameterSchema {
  readonly type?: string | readonly string[];
  readonly items?: ParameterSchema;
}

export type ParameterSchemas = Readonly<Record<string, ParameterSchema>>;

/** Splits the text behind `?`. Undefined when it is not percent-encoded UTF-8. */
export function queryPairs(text: string): QueryPairs | undefined {
  if (text === '') return [];
  try {
    return text
      .split('&')
      .filter((part) => part !== '')
      .map((part) => {
        const [name = '', ...rest] = part.replaceAll('+', ' ').split('=');
        return [decodeURIComponent(name), decodeURIComponent(rest.join('='))] as const;
      });
  } catch {
    return undefined;
  }
}

/** `deviceIds[]` and `deviceIds[3]` name the array `deviceIds`. */
const BRACKETED = /^(.+)\[\d*\]$/;

const NUMBER = /^-?\d+(\.\d+)?([eE][+-]?\d+)?$/;

/** A value of the declared type, or the text itself, which the schema then refuses by name. */
function typedValue(text: string, schema: ParameterSchema): unknown {
  switch (schema.type) {
    case 'integer':
    case 'number':
      return NUMBER.test(text) ? Number(text) : text;
    case 'boolean':
      return text === 'true' ? true : text === 'false' ? false : text;
    default:
      return text;
  }
}

/**
 * The query as an object of the declared parameters. Arrays are accepted as `x[]=a&x[]=b`, `x[0]=a`
 * and `x=a&x=b`. What is unknown, repeated or bracketed without being an array is an error.
 */
export function readQuery(
  pairs: QueryPairs,
  schemas: ParameterSchemas,
): { values: Record<string, unknown>; errors: FieldError[] } {
  const values: Record<string, unknown> = {};
  const errors: FieldError[] = [];
  for (const [sent, text] of pairs) {
    if (errors.length === MAX_ERRORS) break;
    const bracketed = BRACKETED.exec(sent)?.[1];
    const name = bracketed ?? sent;
    const schema = Object.hasOwn(schemas, name) ? schemas[name] : undefined;
    if (!schema || (bracketed !== undefined && schema.type !== 'array')) {
      errors.push({ path: sent, message: 'is not a parameter of this operation' });
    } else if (schema.type === 'array') {
      const list = Object.hasOwn(values, name) ? (values[name] as unknown[]) : [];
      list.push(typedValue(text, schema.items ?? {}));
      values[name] = list;
    } else if (Object.hasOwn(values, name)) {
      errors.push({ path: name, message: 'must be given once' });
    } else {
      values[name] = typedValue(text, schema);
    }
  }
  return { values, errors };
}
