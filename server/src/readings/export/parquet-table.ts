import type { DecodedArray, SchemaElement } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer';
import { type Kind, valueAt } from '../columns.ts';
import type { Part } from '../parts.ts';
import type { Value } from '../reading.ts';
import type { ExportPlan, TableWriter } from './table.ts';

/** Readers take a row group as a whole; the file's end tells of each. */
const ROWS_A_GROUP = 131_072;

const TYPES = {
  NUMBER: { type: 'DOUBLE' },
  BOOLEAN: { type: 'BOOLEAN' },
  STRING: { type: 'BYTE_ARRAY', converted_type: 'UTF8' },
} as const satisfies Record<Kind, Partial<SchemaElement>>;

const KINDS = Object.keys(TYPES) as Kind[];
const VALUE_COLUMNS = {
  NUMBER: 'numberValue',
  BOOLEAN: 'booleanValue',
  STRING: 'stringValue',
} as const satisfies Record<Kind, string>;

const VARIABLE: SchemaElement = {
  name: 'variableId',
  ...TYPES.STRING,
  repetition_type: 'REQUIRED',
};
const TIMESTAMP: SchemaElement = {
  name: 'timestamp',
  type: 'INT64',
  converted_type: 'TIMESTAMP_MILLIS',
  repetition_type: 'REQUIRED',
};

/**
 * Readings as a Parquet file: `timestamp` and `value`. Of several Variables, `variableId` comes
 * first, and there is a column of values for each type, of which two are null.
 */
export class ParquetTable implements TableWriter {
  readonly #variableIds: readonly string[] | null;
  readonly #kinds: readonly Kind[];
  readonly #take: number;
  readonly #left: number[] = [];
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  #rows: Rows = new Rows();

  constructor({ variableIds, take }: ExportPlan, kinds: readonly Kind[]) {
    this.#variableIds = variableIds;
    this.#kinds = kinds;
    this.#take = take;
    const schema = variableIds ? schemaOfSeveral() : schemaOfOne(kinds[0] ?? 'NUMBER');
    this.#writer = new ParquetWriter({ writer: this.#bytes, schema });
  }

  begin(): Uint8Array {
    return this.#taken();
  }

  add(parts: Iterable<Part>): Uint8Array {
    for (const { subject, columns } of parts) {
      const left = this.#left[subject] ?? this.#take;
      const count = Math.min(left, columns.times.length);
      this.#left[subject] = left - count;
      for (let index = 0; index < count; index += 1) {
        this.#rows.add(subject, columns.times[index] as number, valueAt(columns, index));
        if (this.#rows.count === ROWS_A_GROUP) this.#writeGroup();
      }
    }
    return this.#taken();
  }

  end(): Uint8Array {
    if (this.#rows.count > 0) this.#writeGroup();
    this.#writer.finish();
    return this.#taken();
  }

  #writeGroup(): void {
    const { subjects, times, values } = this.#rows;
    const encoding = 'DELTA_BINARY_PACKED';
    const columnData: ColumnSource[] = [{ name: 'timestamp', data: times, encoding }];
    if (this.#variableIds) {
      const ids = this.#variableIds;
      const data = subjects.map((subject) => ids[subject] as string);
      columnData.unshift({ name: 'variableId', data });
      for (const kind of KINDS) {
        const own = values.map((value, row) =>
          this.#kindOf(subjects[row]) === kind ? value : null,
        );
        columnData.push({ name: VALUE_COLUMNS[kind], data: own });
      }
    } else {
      columnData.push({ name: 'value', data: values satisfies DecodedArray });
    }
    this.#writer.write({ columnData, rowGroupSize: ROWS_A_GROUP });
    this.#rows = new Rows();
  }

  #kindOf(subject: number | undefined): Kind | undefined {
    return subject === undefined ? undefined : this.#kinds[subject];
  }

  /** What was written since the last time. The file's offsets go on. */
  #taken(): Uint8Array {
    const bytes = this.#bytes.getBytes().slice();
    this.#bytes.index = 0;
    return bytes;
  }
}

class Rows {
  readonly subjects: number[] = [];
  readonly times: bigint[] = [];
  readonly values: Value[] = [];

  get count(): number {
    return this.times.length;
  }

  add(subject: number, time: number, value: Value): void {
    this.subjects.push(subject);
    this.times.push(BigInt(time));
    this.values.push(value);
  }
}

function root(columns: readonly SchemaElement[]): SchemaElement[] {
  return [{ name: 'root', num_children: columns.length }, ...columns];
}

function schemaOfOne(kind: Kind): SchemaElement[] {
  return root([TIMESTAMP, { name: 'value', ...TYPES[kind], repetition_type: 'REQUIRED' }]);
}

function schemaOfSeveral(): SchemaElement[] {
  const values = KINDS.map(
    (kind): SchemaElement => ({
      name: VALUE_COLUMNS[kind],
      ...TYPES[kind],
      repetition_type: 'OPTIONAL',
    }),
  );
  return root([VARIABLE, TIMESTAMP, ...values]);
}
