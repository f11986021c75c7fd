import { valueAt } from '../columns/index.ts';
import type { DecodedSlice } from '../slices/index.ts';
import { csvField, csvLine } from './csv.ts';
import { type ExportPlan, NO_BYTES, type TableWriter } from './table.ts';

/** Readings as RFC 4180 lines: `timestamp,value`, and the Variable first where there are several. */
export class CsvTable implements TableWriter {
  readonly #variableIds: readonly string[] | null;
  readonly #left: number[] = [];
  readonly #take: number;

  constructor({ variableIds, take }: ExportPlan) {
    this.#variableIds = variableIds;
    this.#take = take;
  }

  begin(): Uint8Array {
    const own = ['timestamp', 'value'];
    return Buffer.from(csvLine(this.#variableIds ? ['variableId', ...own] : own));
  }

  add(parts: Iterable<DecodedSlice>): Uint8Array {
    let text = '';
    for (const { ordinal, columns } of parts) {
      const left = this.#left[ordinal] ?? this.#take;
      const count = Math.min(left, columns.times.length);
      this.#left[ordinal] = left - count;
      const start = this.#variableIds ? `${this.#variableIds[ordinal]},` : '';
      for (let index = 0; index < count; index += 1) {
        text += `${start}${columns.times[index]},${csvField(valueAt(columns, index))}\r\n`;
      }
    }
    return Buffer.from(text);
  }

  end(): Uint8Array {
    return NO_BYTES;
  }
}
