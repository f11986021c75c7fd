import type { DecodedArray } from 'hyparquet';
import { ByteWriter, type ColumnSource, ParquetWriter } from 'hyparquet-writer';
import { type Columns, joined, type Kind, sliceOf, valueAt } from '../columns/index.ts';
import type { Value } from '../reading.ts';
import type { DecodedSlice } from '../slices/index.ts';
import {
  KINDS,
  schemaOfOne,
  schemaOfSeveral,
  schemaWithNames,
  VALUE_COLUMNS,
} from './parquet-schema.ts';
import type { ExportPlan, TableWriter, VariableNames } from './table.ts';

/** A reader loads a row group as a whole, and the footer describes each. */
const ROWS_PER_GROUP = 131_072;

/**
 * Readings as a Parquet file: `timestamp` and `value`. Of several Variables, `variableId` comes
 * first, and there is a column of values for each type, of which two are null. With names, `time`,
 * `device`, `variable` and `unit` come before the values, and `variableId` last.
 */
export class ParquetTable implements TableWriter {
  readonly #variableIds: readonly string[] | null;
  readonly #names: readonly VariableNames[] | null;
  readonly #kinds: readonly Kind[];
  readonly #take: number;
  readonly #left: number[] = [];
  readonly #bytes = new ByteWriter();
  readonly #writer: ParquetWriter;
  #rows: Rows = new Rows();

  constructor({ variableIds, names, take }: ExportPlan, kinds: readonly Kind[]) {
    this.#variableIds = variableIds;
    this.#names = names;
    this.#kinds = kinds;
    this.#take = take;
    const plain = variableIds ? schemaOfSeveral() : schemaOfOne(kinds[0] ?? 'NUMBER');
    const schema = names ? schemaWithNames() : plain;
    this.#writer = new ParquetWriter({ writer: this.#bytes, schema });
  }

  begin(): Uint8Array {
    return this.#taken();
  }

  add(parts: Iterable<DecodedSlice>): Uint8Array {
    for (const { ordinal, columns } of parts) {
      const left = this.#left[ordinal] ?? this.#take;
      const count = Math.min(left, columns.times.length);
      this.#left[ordinal] = left - count;
      for (let start = 0; start < count; ) {
        const end = Math.min(count, start + ROWS_PER_GROUP - this.#rows.count);
        this.#rows.add(ordinal, sliceOf(columns, start, end));
        if (this.#rows.count === ROWS_PER_GROUP) this.#writeGroup();
        start = end;
      }
    }
    return this.#taken();
  }

  end(): Uint8Array {
    if (this.#rows.count > 0) this.#writeGroup();
    // Only a writer that flushes returns a Promise; this one writes to memory.
    void this.#writer.finish();
    return this.#taken();
  }

  #writeGroup(): void {
    const columnData = this.#columns();
    void this.#writer.write({ columnData, rowGroupSize: ROWS_PER_GROUP });
    this.#rows = new Rows();
  }

  #columns(): ColumnSource[] {
    const rows = this.#rows;
    const time: ColumnSource = {
      name: this.#names ? 'time' : 'timestamp',
      data: rows.times(),
      encoding: 'DELTA_BINARY_PACKED',
    };
    const values = () =>
      KINDS.map((kind) => ({ name: VALUE_COLUMNS[kind], data: rows.valuesOf(kind) }));
    const names = this.#names;
    if (names) {
      const texts = (['device', 'variable', 'unit', 'variableId'] as const).map((name) => ({
        name,
        data: rows.textsOf(names.map((each) => each[name])),
      }));
      return [time, ...texts.slice(0, 3), ...values(), ...texts.slice(3)];
    }
    if (this.#variableIds) {
      return [{ name: 'variableId', data: rows.textsOf(this.#variableIds) }, time, ...values()];
    }
    return [time, { name: 'value', data: rows.valuesOf(this.#kinds[0] ?? 'NUMBER') }];
  }

  /** The bytes written since the last call; the offsets in the file continue. */
  #taken(): Uint8Array {
    const bytes = this.#bytes.getBytes().slice();
    this.#bytes.index = 0;
    return bytes;
  }
}

/** The readings of a row group, as the slices that were added. */
class Rows {
  readonly #parts: { readonly ordinal: number; readonly columns: Columns }[] = [];
  count = 0;

  add(ordinal: number, columns: Columns): void {
    // A copy, because the next slice reuses the columns.
    this.#parts.push({ ordinal, columns: joined(columns.kind, [columns]) });
    this.count += columns.times.length;
  }

  times(): BigInt64Array {
    const times = new BigInt64Array(this.count);
    let at = 0;
    for (const { columns } of this.#parts) {
      for (const time of columns.times) times[at++] = BigInt(time);
    }
    return times;
  }

  /** The text of each row's Variable. */
  textsOf(texts: readonly (string | null)[]): (string | null)[] {
    const column = new Array<string | null>(this.count);
    let at = 0;
    for (const { ordinal, columns } of this.#parts) {
      column.fill(texts[ordinal] ?? null, at, at + columns.times.length);
      at += columns.times.length;
    }
    return column;
  }

  /** Null where a reading is of another kind. */
  valuesOf(kind: Kind): DecodedArray {
    const isAll = this.#parts.every(({ columns }) => columns.kind === kind);
    if (isAll && kind === 'NUMBER') return this.#numbers();
    const values = new Array<Value | null>(this.count).fill(null);
    let at = 0;
    for (const { columns } of this.#parts) {
      const { length } = columns.times;
      if (columns.kind === kind) {
        for (let index = 0; index < length; index += 1)
          values[at + index] = valueAt(columns, index);
      }
      at += length;
    }
    return values;
  }

  #numbers(): Float64Array {
    const values = new Float64Array(this.count);
    let at = 0;
    for (const { columns } of this.#parts) {
      if (columns.kind === 'NUMBER') values.set(columns.values, at);
      at += columns.times.length;
    }
    return values;
  }
}
