import { DEFAULT_READINGS_TAKE, type Operations, type Query } from '@fieldwatch/contract';
import type { Handler } from '../http/index.ts';
import { invalid, isUuid, notFound } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import { bucketMsOf } from './buckets.ts';
import { csvOf, readingsCsv } from './csv.ts';
import type { Range } from './history.ts';
import type { HistoryRef, Readings } from './readings.ts';
import { findVariables, type HistoryVariable } from './store.ts';

export interface ReadingHandlersDeps {
  readonly storage: Storage;
  readonly readings: Readings;
}

export interface ReadingHandlers {
  readonly list: Handler<Operations['listReadings']>;
  readonly latest: Handler<Operations['listLatestValues']>;
}

/** More changes of value than this are more than a chart can show or a page can take. */
const MAX_SEGMENTS = 50_000;
const ALL_TIMES = { from: 0, to: 8_640_000_000_000_000 };

export function createReadingHandlers(deps: ReadingHandlersDeps): ReadingHandlers {
  const { storage, readings } = deps;
  return {
    async list({ params: { organizationId, variableId }, query }, { now, prefersCsv }) {
      const [variable] = await findVariables(storage, organizationId, [variableId]);
      if (!variable) throw notFound('Variable');
      if (query.buckets === undefined) return raw(readings, variable, query, prefersCsv);
      const range = await shownRange(readings, variable, query, now);
      const asked = { range, buckets: query.buckets, prefersCsv };
      return variable.type === 'NUMBER'
        ? await inBuckets(readings, variable, asked)
        : await inSegments(readings, variable, asked);
    },
    async latest({ params: { organizationId }, query: { ids = [] } }, { prefersCsv }) {
      const known = await findVariables(storage, organizationId, ids.filter(isUuid));
      const byId = new Map(known.map((variable) => [variable.id, variable]));
      const variables = ids.flatMap((id) => byId.get(id.toLowerCase()) ?? []);
      const values = await readings.latest(variables);
      const items = variables.flatMap(({ id: variableId }, index) => {
        const latest = values[index];
        return latest ? [{ variableId, timestamp: latest.at, value: latest.value }] : [];
      });
      return prefersCsv
        ? { csv: csvOf(['variableId', 'timestamp', 'value'], items) }
        : { body: { items } };
    },
  };
}

type ListQuery = Query<Operations['listReadings']>;

async function raw(
  readings: Readings,
  variable: HistoryVariable,
  { startTime = ALL_TIMES.from, endTime = ALL_TIMES.to, take }: ListQuery,
  prefersCsv: boolean,
) {
  const range = { from: startTime, to: endTime };
  if (prefersCsv) return { csv: readingsCsv(readings.stream(variable, range), take ?? Infinity) };
  const found = await readings.raw(variable, range, take ?? DEFAULT_READINGS_TAKE);
  const { count, items, nextStartTime } = found;
  return { body: { variableId: variable.id, count, items: [...items], nextStartTime } };
}

/** Where no end is given, the chart ends where the readings do. */
async function shownRange(
  readings: Readings,
  variable: HistoryRef,
  { startTime, endTime }: ListQuery,
  now: number,
): Promise<Range> {
  if (startTime !== undefined && endTime !== undefined) return { from: startTime, to: endTime };
  const bounds = await readings.bounds(variable);
  const from = startTime ?? Math.min(bounds?.from ?? now, endTime ?? Infinity);
  return { from, to: endTime ?? Math.max(bounds?.to ?? now, from) };
}

interface Asked {
  readonly range: Range;
  readonly buckets: number;
  readonly prefersCsv: boolean;
}

function headOf({ id }: HistoryVariable, { range, buckets }: Asked) {
  return {
    variableId: id,
    startTime: range.from,
    endTime: range.to,
    bucketMs: bucketMsOf(range, buckets),
  };
}

async function inBuckets(readings: Readings, variable: HistoryVariable, asked: Asked) {
  const items = [...(await readings.buckets(variable, asked.range, asked.buckets))];
  if (!asked.prefersCsv) return { body: { ...headOf(variable, asked), items } };
  const columns = ['timestamp', 'count', 'min', 'max', 'mean', 'first', 'last'] as const;
  return { csv: csvOf(columns, items) };
}

async function inSegments(readings: Readings, variable: HistoryVariable, asked: Asked) {
  const found = await readings.segments(variable, asked.range, MAX_SEGMENTS);
  if (!found) {
    const message = `has more than ${MAX_SEGMENTS} changes of value up to endTime`;
    throw invalid({ path: 'startTime', message });
  }
  const items = [...found];
  return asked.prefersCsv
    ? { csv: csvOf(['startTime', 'endTime', 'value'], items) }
    : { body: { ...headOf(variable, asked), items } };
}
