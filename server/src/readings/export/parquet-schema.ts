import type { SchemaElement } from 'hyparquet';
import type { Kind } from '../columns/index.ts';

export const TYPES = {
  NUMBER: { type: 'DOUBLE' },
  BOOLEAN: { type: 'BOOLEAN' },
  STRING: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
} as const satisfies Record<Kind, Partial<SchemaElement>>;

export const KINDS = Object.keys(TYPES) as Kind[];
export const VALUE_COLUMNS = {
  NUMBER: 'numberValue',
  BOOLEAN: 'booleanValue',
  STRING: 'stringValue',
} as const satisfies Record<Kind, string>;

export const TIMESTAMP: SchemaElement = {
  name: 'timestamp',
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  logical_type: { type: 'TIMESTAMP', isAdjustedToUTC: true, unit: 'MILLIS' },
  repetition_type: 'REQUIRED',
};

const text = (name: string, repetition_type: 'REQUIRED' | 'OPTIONAL' = 'REQUIRED') =>
  ({ name, ...TYPES.STRING, repetition_type }) satisfies SchemaElement;

export function root(columns: readonly SchemaElement[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns];
}

export function schemaOfOne(kind: Kind): SchemaElement[] {
  return root([TIMESTAMP, { name: 'value', ...TYPES[kind], repetition_type: 'REQUIRED' }]);
}

export function schemaOfSeveral(): SchemaElement[] {
  return root([text('variableId'), TIMESTAMP, ...valueColumns()]);
}

export function schemaWithNames(): SchemaElement[] {
  const names = [text('device'), text('variable'), text('unit', 'OPTIONAL')];
  return root([{ ...TIMESTAMP, name: 'time' }, ...names, ...valueColumns(), text('variableId')]);
}

function valueColumns(): SchemaElement[] {
  return KINDS.map(
    (kind): SchemaElement => ({
      name: VALUE_COLUMNS[kind],
      ...TYPES[kind],
      repetition_type: 'OPTIONAL',
    }),
  );
}
