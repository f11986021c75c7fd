import type { TSchema } from 'typebox';
import * as door from './index.ts';
import type { Json, JsonSchema } from './openapi-document.ts';

/**
 * A record is named by the contract's door: every schema exported there is a component under its
 * exported name, and is referred to wherever the same object stands inside another schema.
 */
const NAMED: ReadonlyMap<unknown, string> = new Map(
  Object.entries(door)
    .filter(([, value]) => isSchema(value))
    .map(([name, value]) => [value, name]),
);

function isSchema(value: unknown): boolean {
  return typeof value === 'object' && value !== null && ('type' in value || 'oneOf' in value);
}

/** In a written value a field with a default may be left out; in an answered one it is there. */
type Direction = 'written' | 'answered';

/** A schema as plain JSON. A named record becomes a reference. */
export function jsonSchema(schema: TSchema, direction: Direction): JsonSchema {
  const name = NAMED.get(schema);
  return name === undefined
    ? plainObject(schema, direction)
    : { $ref: `#/components/schemas/${name}` };
}

/** Every named record in full, by name. */
export function namedSchemas(): Record<string, JsonSchema> {
  return Object.fromEntries(
    [...NAMED].map(([schema, name]) => [name, plainObject(schema as object, 'answered')]),
  );
}

function plain(value: unknown, direction: Direction): Json {
  if (value === null || typeof value === 'string' || typeof value === 'boolean') return value;
  if (typeof value === 'number' && Number.isFinite(value)) return value;
  if (Array.isArray(value)) return value.map((item) => plain(item, direction));
  if (typeof value !== 'object') throw new TypeError(`A schema holds a ${typeof value}`);
  return jsonSchema(value, direction);
}

function plainObject(value: object, direction: Direction): JsonSchema {
  const json: JsonSchema = {};
  for (const [key, part] of Object.entries(value)) {
    if (part === undefined) continue;
    json[key] = plain(part, direction);
  }
  const { required, properties } = value as {
    required?: unknown;
    properties?: Readonly<Record<string, object>>;
  };
  if (direction === 'written' && Array.isArray(required) && properties) {
    const demanded = required.filter((name: string) => !hasDefault(properties[name]));
    if (demanded.length > 0) json.required = demanded;
    else delete json.required;
  }
  return json;
}

export function hasDefault(schema: object | undefined): boolean {
  return schema !== undefined && 'default' in schema;
}
