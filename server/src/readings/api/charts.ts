import type { ReadingBuckets, ReadingSegments } from '@fieldwatch/contract';
import { invalid } from '../../runtime/index.ts';
import { csvOf } from '../export/index.ts';
import { bucketMsOf, type History } from '../query/index.ts';
import type { Range, Value } from '../reading.ts';
import type { HistoryVariable } from './store.ts';

/** More segments than a chart can show or a page can load. */
const MAX_SEGMENTS = 50_000;

/** The range of a chart: missing ends are those of the readings. */
export async function shownRange(
  history: History,
  { startTime, endTime }: { readonly startTime?: number; readonly endTime?: number },
  now: number,
): Promise<Range> {
  if (startTime !== undefined && endTime !== undefined) return { from: startTime, to: endTime };
  const bounds = await history.bounds();
  const from = startTime ?? Math.min(bounds?.from ?? now, endTime ?? Infinity);
  return { from, to: endTime ?? Math.max(bounds?.to ?? now, from) };
}

/** The chart of each Variable: buckets of numbers, and segments of other types. */
export async function chartsOf(
  history: History,
  variables: readonly HistoryVariable[],
  range: Range,
  count: number,
): Promise<(ReadingBuckets | ReadingSegments)[]> {
  const [buckets, segments] = await Promise.all([
    history.ofKinds((kind) => kind === 'NUMBER').buckets(range, count),
    segmentsOf(history, range),
  ]);
  const head = { startTime: range.from, endTime: range.to, bucketMs: bucketMsOf(range, count) };
  let [numbers, others] = [0, 0];
  return variables.map((variable, index) => {
    const own = { variableId: variable.id, ...head, ...incompleteField(history, index) };
    return isNumber(variable)
      ? { ...own, items: [...(buckets[numbers++] ?? [])] }
      : { ...own, items: [...(segments[others++] ?? [])] };
  });
}

/** The field of a response that lacks readings. */
function incompleteField(history: History, index: number): { incomplete?: true } {
  return history.isIncompleteAt(index) ? { incomplete: true } : {};
}

function isNumber({ type }: HistoryVariable): boolean {
  return type === 'NUMBER';
}

async function segmentsOf(history: History, range: Range) {
  const all = await history.ofKinds((kind) => kind !== 'NUMBER').segments(range, MAX_SEGMENTS);
  if (all) return all;
  const message = `has more than ${MAX_SEGMENTS} changes of value up to endTime`;
  throw invalid({ path: 'startTime', message });
}

const BUCKET = ['timestamp', 'count', 'min', 'max', 'mean', 'first', 'last'] as const;
const SEGMENT = ['startTime', 'endTime', 'value'] as const;

/** The charts as one table, which requires that all have the same form. */
export async function chartsCsv(
  history: History,
  variables: readonly HistoryVariable[],
  range: Range,
  buckets: number,
  isSeveral: boolean,
): Promise<Iterable<string>> {
  const numbers = variables.filter(isNumber).length;
  if (numbers > 0 && numbers < variables.length) {
    const message = 'must be all numbers or none of them, as CSV with buckets';
    throw invalid({ path: 'ids', message });
  }
  const columns: readonly string[] = numbers > 0 ? BUCKET : SEGMENT;
  const charts = await chartsOf(history, variables, range, buckets);
  const records = charts.flatMap(({ variableId, items }) =>
    items.map((item): Record<string, Value> => ({ variableId, ...item })),
  );
  return csvOf(isSeveral ? ['variableId', ...columns] : columns, records);
}
