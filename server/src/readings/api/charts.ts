import type { ReadingBuckets, ReadingSegments } from '@fieldwatch/contract';
import { invalid } from '../../runtime/index.ts';
import { csvOf } from '../export/index.ts';
import { bucketMsOf } from '../query/index.ts';
import type { Range, Value } from '../reading.ts';
import type { Readings } from '../readings.ts';
import type { HistoryVariable } from './store.ts';

/** More segments than a chart can show or a page can load. */
const MAX_SEGMENTS = 50_000;

/** The range of a chart: missing ends are those of the readings. */
export async function shownRange(
  readings: Readings,
  variables: readonly HistoryVariable[],
  { startTime, endTime }: { readonly startTime?: number; readonly endTime?: number },
  now: number,
): Promise<Range> {
  if (startTime !== undefined && endTime !== undefined) return { from: startTime, to: endTime };
  const bounds = await readings.history.bounds(variables);
  const from = startTime ?? Math.min(bounds?.from ?? now, endTime ?? Infinity);
  return { from, to: endTime ?? Math.max(bounds?.to ?? now, from) };
}

/** The chart of each Variable: buckets of numbers, and segments of other types. */
export async function chartsOf(
  readings: Readings,
  variables: readonly HistoryVariable[],
  range: Range,
  buckets: number,
): Promise<(ReadingBuckets | ReadingSegments)[]> {
  const [numbers, others] = await Promise.all([
    bucketsOf(readings, variables.filter(isNumber), range, buckets),
    segmentsOf(
      readings,
      variables.filter((each) => !isNumber(each)),
      range,
    ),
  ]);
  const head = { startTime: range.from, endTime: range.to, bucketMs: bucketMsOf(range, buckets) };
  return variables.map((variable) => {
    const own = { variableId: variable.id, ...head };
    return isNumber(variable)
      ? { ...own, items: [...(numbers.get(variable) ?? [])] }
      : { ...own, items: [...(others.get(variable) ?? [])] };
  });
}

function isNumber({ type }: HistoryVariable): boolean {
  return type === 'NUMBER';
}

async function bucketsOf(
  { history }: Readings,
  variables: readonly HistoryVariable[],
  range: Range,
  count: number,
) {
  const all = await history.buckets(variables, range, count);
  return new Map(variables.map((variable, index) => [variable, all[index]]));
}

async function segmentsOf(
  { history }: Readings,
  variables: readonly HistoryVariable[],
  range: Range,
) {
  const all = await history.segments(variables, range, MAX_SEGMENTS);
  if (!all) {
    const message = `has more than ${MAX_SEGMENTS} changes of value up to endTime`;
    throw invalid({ path: 'startTime', message });
  }
  return new Map(variables.map((variable, index) => [variable, all[index]]));
}

const BUCKET = ['timestamp', 'count', 'min', 'max', 'mean', 'first', 'last'] as const;
const SEGMENT = ['startTime', 'endTime', 'value'] as const;

/** The charts as one table, which requires that all have the same form. */
export async function chartsCsv(
  readings: Readings,
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
  const charts = await chartsOf(readings, variables, range, buckets);
  const records = charts.flatMap(({ variableId, items }) =>
    items.map((item): Record<string, Value> => ({ variableId, ...item })),
  );
  return csvOf(isSeveral ? ['variableId', ...columns] : columns, records);
}
