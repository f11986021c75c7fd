import type { FieldError } from '@fieldwatch/contract';
import { Ajv2020, type ErrorObject, type Options, type ValidateFunction } from 'ajv/dist/2020.js';
import { FORMATS } from './formats.ts';
import { isLargerThan } from './json-size.ts';
import { childPath, MAX_ERRORS } from './plain-text.ts';
import { boundTextLengths } from './text-length.ts';

/**
 * Checks a value, filling in defaults, and names every bad field at once; of a value too large for
 * a person to have written, the first.
 */
export type Validate = (value: unknown) => FieldError[];

/** Larger values are wrong by a program's doing, and collecting what is wrong with them is slow. */
export const MAX_EXPLAINED_VALUES = 3_000;

export interface Wording {
  /** What is wrong with a field that the schema does not name. */
  readonly unknownField: string;
  /** What the value as a whole is called in a path. */
  readonly root: string;
}

const OPTIONS: Options = {
  verbose: true,
  messages: false,
  discriminator: true,
  useDefaults: true,
  allowUnionTypes: true,
  strictRequired: false,
  // Compiling the schema of schemas takes longer than those of several operations. A test checks
  // the schemas of all operations against it.
  validateSchema: false,
  // Half of the time of compiling, which the event loop waits for; V8 optimizes the function anyway.
  code: { optimize: false },
  keywords: ['x-messages'],
  formats: Object.fromEntries(
    Object.entries(FORMATS).map(([name, { validate }]) => [name, { type: 'string', validate }]),
  ),
};

// A compiled schema is the same function in every server of a process, so these are shared.
const failFast = boundTextLengths(new Ajv2020(OPTIONS));
const explaining = boundTextLengths(new Ajv2020({ ...OPTIONS, allErrors: true }));

export function createValidator(schema: object, wording: Wording): Validate {
  // Compiled when first needed: a start does not wait for all of them. Most operations need one.
  let check: ValidateFunction | undefined;
  let explain: ((value: unknown) => readonly ErrorObject[]) | undefined;
  return (value) => {
    if (isLargerThan(value, MAX_EXPLAINED_VALUES)) {
      check ??= failFast.compile(schema);
      return check(value) ? [] : fieldErrors((check.errors ?? []).slice(0, 1), wording);
    }
    explain ??= explainerOf(explaining, schema);
    return fieldErrors(explain(value), wording);
  };
}

/** Finds everything that is wrong with a value. */
function explainerOf(ajv: Ajv2020, schema: object): (value: unknown) => readonly ErrorObject[] {
  const check = ajv.compile(schema);
  let checkShared: ValidateFunction | undefined;
  return (value) => {
    if (check(value)) return [];
    const errors = [...(check.errors ?? [])];
    // Where the field that decides is bad, nothing else was looked at.
    if (errors.some(({ keyword, instancePath }) => `${keyword}${instancePath}` === DECIDES)) {
      checkShared ??= ajv.compile(sharedPart(schema as Branching));
      if (!checkShared(value)) errors.push(...(checkShared.errors ?? []));
    }
    return errors;
  };
}

const DECIDES = 'discriminator';

interface Branch {
  readonly properties: Readonly<Record<string, object>>;
  readonly required?: readonly string[];
}

interface Branching {
  readonly discriminator: { readonly propertyName: string };
  readonly oneOf: readonly Branch[];
}

/** What all branches of a schema ask for, whichever one is meant. */
function sharedPart({ oneOf, discriminator: { propertyName } }: Branching): object {
  const inAll = (has: (branch: Branch) => boolean) => oneOf.every(has);
  const names = [...new Set(oneOf.flatMap(({ properties }) => Object.keys(properties)))];
  const properties = names.map((name) => {
    const isShared = name !== propertyName && inAll((branch) => name in branch.properties);
    return [name, isShared ? (oneOf[0]?.properties[name] ?? {}) : {}];
  });
  const required = names.filter((name) =>
    inAll((branch) => branch.required?.includes(name) ?? false),
  );
  return {
    type: 'object',
    properties: Object.fromEntries(properties),
    required: required.filter((name) => name !== propertyName),
    additionalProperties: false,
  };
}

/** One error per field: the first is the one to correct. */
function fieldErrors(errors: readonly ErrorObject[], wording: Wording): FieldError[] {
  const found = new Map<string, FieldError>();
  for (const error of errors) {
    const message = messageOf(error, wording);
    const path = pathOf(error) || wording.root;
    if (message !== undefined && !found.has(path)) found.set(path, { path, message });
    if (found.size === MAX_ERRORS) break;
  }
  return [...found.values()];
}

/** `/configuration/subBand` and `/ids/3`, as people write them. */
function pathOf(error: ErrorObject): string {
  let path = '';
  for (const part of error.instancePath.split('/').slice(1)) {
    const key = part.replaceAll('~1', '/').replaceAll('~0', '~');
    path = childPath(path, /^\d+$/.test(key) ? Number(key) : key);
  }
  const named = namedField(error.params);
  return named === undefined ? path : childPath(path, named);
}

/** The field that a keyword of its parent speaks of. */
function namedField(params: ErrorObject['params']): string | undefined {
  return params.missingProperty ?? params.additionalProperty ?? params.tag;
}

const TYPE_NOUNS: Readonly<Record<string, string>> = {
  string: 'a string',
  number: 'a number',
  integer: 'a whole number',
  boolean: 'true or false',
  object: 'an object',
  array: 'an array',
  null: 'null',
};

function plural(count: number, noun: string): string {
  return `${count} ${noun}${count === 1 ? '' : 's'}`;
}

function words(values: readonly unknown[]): string {
  return values.map((value) => (value === null ? 'null' : String(value))).join(', ');
}

/** The parameters of failed keywords; each keyword fills in its own. */
interface Params {
  readonly type: string | readonly string[];
  readonly allowedValues: readonly unknown[];
  readonly allowedValue: unknown;
  readonly limit: number;
  readonly multipleOf: number;
  readonly i: number;
  readonly j: number;
  readonly format: string;
  readonly tag: string;
}

/** A sentence's end for each keyword; a keyword that is not here only echoes another's error. */
const MESSAGES: Readonly<Record<string, (params: Params, error: ErrorObject) => string>> = {
  required: () => 'is required',
  type: ({ type }) =>
    `must be ${[type]
      .flat()
      .map((each) => TYPE_NOUNS[each] ?? each)
      .join(' or ')}`,
  enum: ({ allowedValues }) => `must be one of ${words(allowedValues)}`,
  const: ({ allowedValue }) => `must be ${words([allowedValue])}`,
  minLength: ({ limit }) => `must have at least ${plural(limit, 'character')}`,
  maxLength: ({ limit }) => `must have at most ${plural(limit, 'character')}`,
  minimum: ({ limit }) => `must be at least ${limit}`,
  maximum: ({ limit }) => `must be at most ${limit}`,
  exclusiveMinimum: ({ limit }) => `must be more than ${limit}`,
  exclusiveMaximum: ({ limit }) => `must be less than ${limit}`,
  multipleOf: ({ multipleOf }) => `must be a multiple of ${multipleOf}`,
  minItems: ({ limit }) => `must have at least ${plural(limit, 'value')}`,
  maxItems: ({ limit }) => `must have at most ${plural(limit, 'value')}`,
  minProperties: ({ limit }) => `must have at least ${plural(limit, 'field')}`,
  maxProperties: ({ limit }) => `must have at most ${plural(limit, 'field')}`,
  uniqueItems: ({ i, j }) => `must not repeat a value (positions ${j} and ${i})`,
  format: ({ format }) => `must be ${FORMATS[format]?.noun ?? format}`,
  pattern: () => 'must not be only white space',
  discriminator: ({ tag }, { data, parentSchema }) =>
    Object(data)[tag] === undefined
      ? 'is required'
      : `must be one of ${words(tagsOf(parentSchema, tag))}`,
};

/** The values of the deciding field that lead to a branch. */
function tagsOf(schema: ErrorObject['parentSchema'], tag: string): unknown[] {
  const branches: { properties: Record<string, { const?: unknown; enum?: unknown[] }> }[] =
    schema?.oneOf ?? [];
  return branches.flatMap(({ properties }) => properties[tag]?.enum ?? [properties[tag]?.const]);
}

/** A schema may bring its own words, as `x-messages`: by keyword, or by keyword and field. */
function messageOf(error: ErrorObject, wording: Wording): string | undefined {
  const { keyword, params, parentSchema } = error;
  const named = namedField(params);
  const own = parentSchema?.['x-messages']?.[named === undefined ? keyword : `${keyword}.${named}`];
  if (own !== undefined) return own;
  if (keyword === 'additionalProperties') return wording.unknownField;
  return MESSAGES[keyword]?.(params as Params & ErrorObject['params'], error);
}
