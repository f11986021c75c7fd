import { JsonWriter } from '../../runtime/index.ts';
import type { Columns } from '../columns/index.ts';
import type { RawReadings } from '../query/index.ts';

/** Enough for a time and a number of usual length. */
const BYTES_PER_READING = 48;

const ITEM = { head: '{"timestamp":', middle: ',"value":', tail: '}' };
const HEAD = Buffer.from(ITEM.head);
const MIDDLE = Buffer.from(ITEM.middle);
const TAIL = Buffer.from(ITEM.tail);
const COMMA = Buffer.from(',');

export interface RawPage extends RawReadings {
  readonly variableId: string;
  readonly isIncomplete: boolean;
}

/** Readings in one of the forms of the interface. */
type WriteReadings = (json: JsonWriter, parts: readonly Columns[]) => void;

/** The field `items`: an object for each reading. */
export const asItems: WriteReadings = (json, parts) => {
  json.text('"items":[');
  for (const [index, columns] of parts.entries()) {
    if (index > 0) json.literal(COMMA);
    writeItems(json, columns);
  }
  json.text(']');
};

function writeItems(json: JsonWriter, columns: Columns): void {
  const { kind, times, values } = columns;
  if (kind !== 'STRING') {
    json.records(ITEM, times, values);
    return;
  }
  for (const [index, value] of values.entries()) {
    if (index > 0) json.literal(COMMA);
    json.literal(HEAD);
    json.number(times[index] as number);
    json.literal(MIDDLE);
    json.string(value);
    json.literal(TAIL);
  }
}

/** The field `columns`: an array of times and one of values. */
export const asColumns: WriteReadings = (json, parts) => {
  json.text('"columns":{"timestamp":[');
  for (const [index, { times }] of parts.entries()) {
    if (index > 0) json.literal(COMMA);
    json.numbers(times);
  }
  json.text('],"value":[');
  for (const [index, columns] of parts.entries()) {
    if (index > 0) json.literal(COMMA);
    writeValues(json, columns);
  }
  json.text(']}');
};

function writeValues(json: JsonWriter, columns: Columns): void {
  const { kind, values } = columns;
  if (kind === 'NUMBER') json.numbers(values);
  else if (kind === 'BOOLEAN') json.booleans(values);
  else {
    for (const [index, value] of values.entries()) {
      if (index > 0) json.literal(COMMA);
      json.string(value);
    }
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
