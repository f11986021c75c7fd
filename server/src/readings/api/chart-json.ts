import type { ReadingBuckets, ReadingSegments } from '@fieldwatch/contract';
import { JsonWriter } from '../../runtime/index.ts';
import type { HistoryVariable } from './store.ts';

type Chart = ReadingBuckets | ReadingSegments;
type Bucket = ReadingBuckets['items'][number];

/** Enough for a bucket of usual numbers. */
const BYTES_PER_ITEM = 80;

/** Each names its field itself: access by the text of a name takes several times as long. */
const BUCKET_FIELDS: readonly (readonly [string, (bucket: Bucket) => number])[] = [
  ['timestamp', ({ timestamp }) => timestamp],
  ['count', ({ count }) => count],
  ['min', ({ min }) => min],
  ['max', ({ max }) => max],
  ['mean', ({ mean }) => mean],
  ['first', ({ first }) => first],
  ['last', ({ last }) => last],
];

/** A chart with an array for each field of its items. */
export function chartJson(chart: Chart, variable: HistoryVariable): Uint8Array {
  const json = writerFor([chart]);
  writeChart(json, chart, variable);
  return json.bytes();
}

/** The charts of several Variables. */
export function chartsJson(
  charts: readonly Chart[],
  variables: readonly HistoryVariable[],
): Uint8Array {
  const json = writerFor(charts);
  json.text('{"items":[');
  for (const [index, chart] of charts.entries()) {
    if (index > 0) json.text(',');
    writeChart(json, chart, variables[index] as HistoryVariable);
  }
  json.text(charts.some(({ incomplete }) => incomplete) ? '],"incomplete":true}' : ']}');
  return json.bytes();
}

function writerFor(charts: readonly Chart[]): JsonWriter {
  const items = charts.reduce((sum, chart) => sum + chart.items.length, 0);
  return new JsonWriter(1_024 + items * BYTES_PER_ITEM);
}

function writeChart(json: JsonWriter, chart: Chart, variable: HistoryVariable): void {
  const { items: _, ...head } = chart;
  json.text(`${JSON.stringify(head).slice(0, -1)},"columns":{`);
  if (isOfNumbers(chart, variable)) writeBuckets(json, chart.items);
  else writeSegments(json, chart.items);
  json.text('}}');
}

function isOfNumbers(_: Chart, { type }: HistoryVariable): _ is ReadingBuckets {
  return type === 'NUMBER';
}

function writeBuckets(json: JsonWriter, items: ReadingBuckets['items']): void {
  for (const [index, [name, fieldOf]] of BUCKET_FIELDS.entries()) {
    json.text(`${index > 0 ? ',' : ''}"${name}":[`);
    json.numbers(Float64Array.from(items, fieldOf));
    json.text(']');
  }
}

function writeSegments(json: JsonWriter, items: ReadingSegments['items']): void {
  json.text('"startTime":[');
  json.numbers(Float64Array.from(items, ({ startTime }) => startTime));
  json.text('],"endTime":[');
  json.numbers(Float64Array.from(items, ({ endTime }) => endTime));
  json.text(`],"value":${JSON.stringify(items.map(({ value }) => value))}`);
}
