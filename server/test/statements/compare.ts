import ts from 'typescript-api';
import type { Column, Description, PostgresType } from './describe.ts';
import type { Alternative } from './sites.ts';

type Kind = 'number' | 'string' | 'boolean' | 'Buffer';

/** How the storage door reads a value of a type; see `storage/values.ts`. */
const READ_AS: Readonly<Record<string, Kind>> = {
  int2: 'number',
  int4: 'number',
  int8: 'number',
  float4: 'number',
  float8: 'number',
  oid: 'number',
  timestamptz: 'number',
  bool: 'boolean',
  bytea: 'Buffer',
  text: 'string',
  varchar: 'string',
  name: 'string',
  uuid: 'string',
  numeric: 'string',
  date: 'string',
  timestamp: 'string',
  void: 'string',
};

/** What the code passes for a parameter of a type: a time as `isoDateTime`, JSON as text. */
const WRITTEN_AS: Readonly<Record<string, Kind>> = {
  ...READ_AS,
  numeric: 'number',
  timestamptz: 'string',
  json: 'string',
  jsonb: 'string',
  regclass: 'string',
  unknown: 'string',
};

const isJson = ({ name }: PostgresType) => name === 'json' || name === 'jsonb';

const OUTER = /\b(?:left|full)\s+(?:outer\s+)?join\s+([a-z_]+)/gi;

/** Compares what the code declares with what PostgreSQL describes. */
export class Comparison {
  readonly #checker: ts.TypeChecker;

  constructor(checker: ts.TypeChecker) {
    this.#checker = checker;
  }

  differences({ params, row, text }: Alternative, described: Description): string[] {
    return [
      ...this.#params(params, described),
      ...(row ? this.#columns(row, text, described) : []),
    ];
  }

  #params(params: Alternative['params'], described: Description): string[] {
    if (params.length !== described.params.length) {
      return [`passes ${params.length} parameters of ${described.params.length}`];
    }
    return params.flatMap(({ type, node }, index) => {
      const wanted = described.params[index];
      if (!wanted || this.#fits(type, wanted, WRITTEN_AS)) return [];
      const given = this.#checker.typeToString(type);
      return [`parameter ${node.getText()} is ${given}, and PostgreSQL takes ${nameOf(wanted)}`];
    });
  }

  #columns(row: NonNullable<Alternative['row']>, text: string, { columns }: Description): string[] {
    const named = new Map(columns.map((each) => [each.name, each]));
    const declared = new Set(row.map(({ name }) => name));
    const missing = row.filter(({ name, isOptional }) => !isOptional && !named.has(name));
    const twice = columns.filter((each) => named.get(each.name) !== each);
    return [
      ...missing.map(({ name }) => `declares ${name}, which is no column`),
      ...columns
        // The result of a function that is called for its effect, such as a lock.
        .filter(({ name, type }) => !declared.has(name) && type.name !== 'void')
        .map(({ name }) => `selects ${name}, which is not declared`),
      ...twice.map(({ name }) => `selects ${name} twice`),
      ...row.flatMap(({ name, type, isOptional }) => {
        const column = named.get(name);
        const given = isOptional ? this.#checker.getNonNullableType(type) : type;
        return column ? this.#column(column, given, text) : [];
      }),
    ];
  }

  #column(column: Column, type: ts.Type, text: string): string[] {
    const declared = `declares ${column.name} as ${this.#checker.typeToString(type)}`;
    if (!this.#fits(type, column.type, READ_AS)) {
      return [`${declared}, and PostgreSQL returns ${nameOf(column.type)}`];
    }
    const mayBeNull = partsOf(type).some(isNull) || isUnknown(type);
    return !mayBeNull && isNullable(column, text) ? [`${declared}, and it may be null`] : [];
  }

  /** Whether each part of the type, but for null, is what PostgreSQL takes or returns. */
  #fits(type: ts.Type, wanted: PostgresType, kinds: Readonly<Record<string, Kind>>): boolean {
    const parts = partsOf(type).filter((each) => !isNull(each));
    return parts.every((part) => {
      if (wanted.element) return this.#fitsArray(part, wanted.element, kinds);
      const kind = kinds[wanted.name];
      if (kind === undefined) return isJson(wanted) && !isBuffer(part);
      return this.#isKind(part, kind);
    });
  }

  #fitsArray(part: ts.Type, element: PostgresType, kinds: Readonly<Record<string, Kind>>): boolean {
    // The array literals that the code writes itself have a type of their own, and hold numbers.
    if ((part.flags & ts.TypeFlags.TemplateLiteral) !== 0) {
      return kinds === WRITTEN_AS && kinds[element.name] === 'number';
    }
    if (!this.#checker.isArrayType(part) && !this.#checker.isTupleType(part)) return false;
    const items = this.#checker.getTypeArguments(part as ts.TypeReference);
    return items.every((each) => this.#fits(each, element, kinds));
  }

  #isKind(part: ts.Type, kind: Kind): boolean {
    if (kind === 'Buffer') return isBuffer(part);
    const flags = {
      number: ts.TypeFlags.NumberLike,
      string: ts.TypeFlags.StringLike,
      boolean: ts.TypeFlags.BooleanLike,
    };
    return (part.flags & flags[kind]) !== 0;
  }
}

const partsOf = (type: ts.Type): readonly ts.Type[] => (type.isUnion() ? type.types : [type]);
const isNull = (type: ts.Type) => (type.flags & ts.TypeFlags.Null) !== 0;
const isUnknown = (type: ts.Type) => (type.flags & ts.TypeFlags.Unknown) !== 0;
const isBuffer = (type: ts.Type) => /^(?:Buffer|Uint8Array)$/.test(type.symbol?.name ?? '');

const nameOf = ({ name, element }: PostgresType): string =>
  element ? `an array of ${nameOf(element)}` : name;

/** A column of a table that takes null, or of an outer join, unless the statement rules null out. */
function isNullable({ origin }: Column, text: string): boolean {
  if (!origin) return false;
  if (new RegExp(`\\b${origin.column}"? is not null`, 'i').test(text)) return false;
  const outer = [...text.matchAll(OUTER)].map(([, table]) => table);
  return !origin.isNotNull || outer.includes(origin.table);
}
