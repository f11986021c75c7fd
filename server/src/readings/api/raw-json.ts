import { JsonWriter } from '../../runtime/index.ts';
import type { Columns } from '../columns/index.ts';
import type { RawReadings } from '../query/index.ts';

/** Enough for a time and a number of usual length. */
const BYTES_PER_READING = 48;

const ITEM = Buffer.from('{"timestamp":');
const NEXT_ITEM = Buffer.from('},{"timestamp":');
const VALUE = Buffer.from(',"value":');
const COMMA = Buffer.from(',');
const TRUE = Buffer.from('true');
const FALSE = Buffer.from('false');

export interface RawPage extends RawReadings {
  readonly variableId: string;
  readonly isIncomplete: boolean;
}

/** Readings in one of the forms of the interface. */
type WriteReadings = (json: JsonWriter, parts: readonly Columns[]) => void;

/** The field `items`: an object for each reading. */
export const asItems: WriteReadings = (json, parts) => {
  json.text('"items":[');
  let separator = ITEM;
  for (const columns of parts) {
    const { times } = columns;
    for (let index = 0; index < times.length; index += 1) {
      json.literal(separator);
      separator = NEXT_ITEM;
      json.number(times[index] as number);
      json.literal(VALUE);
      writeValue(json, columns, index);
    }
  }
  json.text(parts.length > 0 ? '}]' : ']');
};

/** The field `columns`: an array of times and one of values. */
export const asColumns: WriteReadings = (json, parts) => {
  json.text('"columns":{"timestamp":');
  writeArray(json, parts, ({ times }, index) => json.number(times[index] as number));
  json.text(',"value":');
  writeArray(json, parts, (columns, index) => writeValue(json, columns, index));
  json.text('}');
};

function writeArray(
  json: JsonWriter,
  parts: readonly Columns[],
  write: (columns: Columns, index: number) => void,
): void {
  json.text('[');
  for (const [part, columns] of parts.entries()) {
    for (let index = 0; index < columns.times.length; index += 1) {
      if (part > 0 || index > 0) json.literal(COMMA);
      write(columns, index);
    }
  }
  json.text(']');
}

function writeValue(json: JsonWriter, columns: Columns, index: number): void {
  switch (columns.kind) {
    case 'NUMBER':
      json.number(columns.values[index] as number);
      break;
    case 'BOOLEAN':
      json.literal(columns.values[index] === 1 ? TRUE : FALSE);
      break;
    case 'STRING':
      json.string(columns.values[index] as string);
      break;
  }
}

/** A page of the readings of one Variable. */
export function pageJson(page: RawPage, writeReadings: WriteReadings): Uint8Array {
  const json = writerFor([page]);
  writePage(json, page, writeReadings);
  return json.bytes();
}

/** Pages of several Variables. */
export function pagesJson(pages: readonly RawPage[], writeReadings: WriteReadings): Uint8Array {
  const json = writerFor(pages);
  json.text('{"items":[');
  for (const [index, page] of pages.entries()) {
    if (index > 0) json.text(',');
    writePage(json, page, writeReadings);
  }
  json.text(pages.some(({ isIncomplete }) => isIncomplete) ? '],"incomplete":true}' : ']}');
  return json.bytes();
}

function writePage(json: JsonWriter, page: RawPage, writeReadings: WriteReadings): void {
  json.text(`{"variableId":"${page.variableId}","count":${page.count},`);
  writeReadings(json, page.parts);
  json.text(`,"nextStartTime":${page.nextStartTime}`);
  json.text(page.isIncomplete ? ',"incomplete":true}' : '}');
}

function writerFor(pages: readonly RawPage[]): JsonWriter {
  const parts = pages.flatMap((page) => page.parts);
  const readings = parts.reduce((sum, { times }) => sum + times.length, 0);
  return new JsonWriter(1_024 + readings * BYTES_PER_READING);
}
