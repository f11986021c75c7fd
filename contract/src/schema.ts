import Type, { type Static, type TSchema, type TUnsafe } from 'typebox';

/** A record's field that may hold null. Written as one schema so that errors name one rule. */
export function nullable<S extends TSchema>(schema: S): TUnsafe<Static<S> | null> {
  const { type } = schema as { type?: unknown };
  const isPlain = typeof type === 'string' && !('const' in schema) && !('oneOf' in schema);
  return isPlain
    ? Type.Unsafe<Static<S> | null>({
        ...schema,
        type: [type, 'null'],
        ...('enum' in schema ? { enum: [...(schema.enum as unknown[]), null] } : {}),
      })
    : Type.Unsafe<Static<S> | null>({ anyOf: [schema, { type: 'null' }] });
}

/** One of a closed list of strings. */
export function oneOf<const V extends readonly string[]>(values: V): TUnsafe<V[number]> {
  return Type.Unsafe<V[number]>({ type: 'string', enum: [...values] });
}

/** A body or a record: nothing but the named fields. */
export const closed = { additionalProperties: false } as const;

/** Free text. Lengths are in Unicode code points. */
export function text(minLength: number, maxLength: number, description?: string) {
  return Type.String({ minLength, maxLength, ...(description ? { description } : {}) });
}

/** A name: text that is not only white space. */
export function name(minLength: number, maxLength: number) {
  return Type.String({ minLength, maxLength, pattern: '\\S' });
}

export const Id = Type.String({ format: 'uuid', description: 'UUIDv7, lower case' });

export const DateTime = Type.String({
  format: 'date-time',
  description: 'ISO 8601, UTC, with milliseconds',
  examples: ['2026-11-15T08:30:00.000Z'],
});

export const Email = Type.String({
  format: 'email',
  minLength: 3,
  maxLength: 254,
  examples: ['operator@example.com'],
});

export const Password = Type.String({
  minLength: 12,
  maxLength: 256,
  description: 'Neither a common password nor the email',
});

/** What a list answers: the total that matches, and the page. */
export function listOf<S extends TSchema>(record: S) {
  return Type.Object(
    {
      count: Type.Integer({ minimum: 0, description: 'Total number of matching records' }),
      items: Type.Array(record),
    },
    closed,
  );
}

const MAX_TAKE = 1000;
const DEFAULT_TAKE = 25;

/** A field that a caller may leave out and a handler always finds. */
export function defaulted<S extends TSchema>(schema: S, value: Static<S>) {
  return { ...schema, default: value } as S & { readonly default: Static<S> };
}

/** The paging parameters that every list takes. */
export const paging = {
  skip: defaulted(
    Type.Integer({ minimum: 0, maximum: 2_147_483_647, description: 'Records to skip' }),
    0,
  ),
  take: defaulted(
    Type.Integer({ minimum: 1, maximum: MAX_TAKE, description: 'Records per page' }),
    DEFAULT_TAKE,
  ),
} as const;

/** At most this many values in one array filter. */
const MAX_FILTER_VALUES = 200;

export const search = Type.String({
  maxLength: 500,
  description: 'Case-insensitive, literal; an empty value does not filter',
});

/** An array filter of a query. In the query its name is followed by brackets. */
export function filter<S extends TSchema>(item: S) {
  return Type.Array(item, { maxItems: MAX_FILTER_VALUES });
}

/** Exactly so many hexadecimal digits, in either case. */
export function hex(digits: number) {
  return Type.String({
    pattern: `^[0-9a-fA-F]{${digits}}$`,
    'x-messages': { pattern: `must be ${digits} hexadecimal characters` },
  });
}

const SORT_DIRECTIONS = ['ASCENDING', 'DESCENDING'] as const;

export const sortDirection = defaulted(oneOf(SORT_DIRECTIONS), 'ASCENDING');

export const epochMs = Type.Integer({
  minimum: 0,
  maximum: 8_640_000_000_000_000,
  description: 'Epoch milliseconds',
});

export const ARCHIVED_SCOPES = ['active', 'archived', 'all'] as const;

export type ArchivedScope = (typeof ARCHIVED_SCOPES)[number];

export const archivedScope = defaulted(oneOf(ARCHIVED_SCOPES), 'active');

/** A body whose field `type` decides which of the schemas holds. */
export function byType<const S extends readonly TSchema[]>(
  ...schemas: S
): TUnsafe<Static<S[number]>> {
  return Type.Unsafe<Static<S[number]>>({
    type: 'object',
    required: ['type'],
    discriminator: { propertyName: 'type' },
    oneOf: [...schemas],
  });
}
