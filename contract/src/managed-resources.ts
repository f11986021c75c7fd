import Type, { type Static } from 'typebox';
import { anyCredential, operation, permission } from './operation.ts';
import type { FieldError } from './problem.ts';
import { closed, filter, Id, listOf, nullable, oneOf, paging } from './schema.ts';

/** The kinds of records that files of configuration describe. */
export const MANAGED_KINDS = [
  'LOCATION',
  'VARIABLE_FOLDER',
  'DEVICE',
  'VARIABLE',
  'WEBHOOK',
  'ROTA',
  'ALARM_GROUP',
  'ESCALATION_POLICY',
  'ALARM',
  'ASSET',
  'DASHBOARD',
] as const;

export type ManagedKind = (typeof MANAGED_KINDS)[number];

/** A part of a key: that of a Variable has two, the first one being the key of its Device. */
export const MANAGED_KEY_PART = '[A-Za-z0-9][A-Za-z0-9._-]{0,99}';

const kind = oneOf(MANAGED_KINDS);
const key = Type.String({
  maxLength: 201,
  pattern: `^${MANAGED_KEY_PART}(/${MANAGED_KEY_PART})?$`,
  'x-messages': {
    pattern:
      'must be letters, digits, dots, dashes and underscores, and begin with a letter or digit',
  },
  description: 'Unique among the records of its kind',
  examples: ['generator-1', 'generator-1/engine.rpm'],
});

export const ManagedResource = Type.Object({ kind, key, resourceId: Id }, closed);

export type ManagedResource = Static<typeof ManagedResource>;

const MAX_ITEMS = 500;

const path = '/primary/v1/{organizationId}/managed-resources';
const tag = 'Organization';

export const listManagedResources = operation({
  tag,
  id: 'listManagedResources',
  method: 'GET',
  path,
  summary:
    'List the keys of records that files of configuration describe, in order of kind and key; an API key does not see those of Dashboards',
  access: anyCredential,
  effect: 'read',
  query: Type.Object({ kinds: Type.Optional(filter(kind)), ...paging }, closed),
  reply: { status: 200, description: 'A page of keys', body: listOf(ManagedResource) },
});

/** One item per key and one per record: which one counts would not be clear. */
function repeatErrors(body: unknown): FieldError[] {
  const { items } = Object(body) as { items?: unknown };
  if (!Array.isArray(items) || items.length > MAX_ITEMS) return [];
  const seen = new Map<string, number>();
  return items.flatMap((item: unknown, index) => {
    const { kind: ofKind, ...rest } = Object(item) as Record<string, unknown>;
    return (['key', 'resourceId'] as const).flatMap((field) => {
      const value = rest[field];
      if (typeof value !== 'string') return [];
      const text = field === 'key' ? value : value.toLowerCase();
      const named = `${String(ofKind)} ${field} ${text}`;
      const first = seen.get(named);
      if (first === undefined) seen.set(named, index);
      return first === undefined
        ? []
        : [{ path: `items[${index}].${field}`, message: `repeats items[${first}].${field}` }];
    });
  });
}

export const updateManagedResources = operation({
  tag,
  id: 'updateManagedResources',
  method: 'PATCH',
  path,
  summary:
    'Assign keys to records: all or none. A key moves to the given record, whose earlier key is dropped; null drops a key',
  access: permission('ManageIntegrations'),
  effect: 'write',
  body: Type.Object(
    {
      items: Type.Array(Type.Object({ kind, key, resourceId: nullable(Id) }, closed), {
        minItems: 1,
        maxItems: MAX_ITEMS,
      }),
    },
    closed,
  ),
  check: ({ body }) => repeatErrors(body),
  reply: {
    status: 200,
    description: 'The given keys that name a record now',
    body: Type.Object({ items: Type.Array(ManagedResource) }, closed),
  },
});
