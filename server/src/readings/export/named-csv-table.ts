import { valueAt } from '../columns/index.ts';
import type { DecodedSlice } from '../slices/index.ts';
import { csvField, csvLine } from './csv.ts';
import { NO_BYTES, type TableWriter, type VariableNames } from './table.ts';

/** Readings as RFC 4180 lines that name Device, Variable and unit, so that a line is clear alone. */
export class NamedCsvTable implements TableWriter {
  readonly #names: readonly string[];
  readonly #ids: readonly string[];

  constructor(names: readonly VariableNames[]) {
    this.#names = names.map((each) => namesText(each));
    this.#ids = names.map(({ variableId }) => variableId);
  }

  begin(): Uint8Array {
    return Buffer.from(csvLine(['time', 'device', 'variable', 'unit', 'value', 'variableId']));
  }

  add(parts: Iterable<DecodedSlice>): Uint8Array {
    let text = '';
    for (const { ordinal, columns } of parts) {
      const names = this.#names[ordinal] ?? '';
      const id = this.#ids[ordinal] ?? '';
      for (let index = 0; index < columns.times.length; index += 1) {
        const time = new Date(columns.times[index] as number).toISOString();
        text += `${time},${names},${csvField(valueAt(columns, index))},${id}\r\n`;
      }
    }
    return Buffer.from(text);
  }

  end(): Uint8Array {
    return NO_BYTES;
  }
}

/** The fields of a line that say which Variable it is about. */
function namesText({ device, variable, unit }: VariableNames): string {
  return [device, variable, unit ?? ''].map(csvField).join(',');
}
