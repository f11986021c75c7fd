import {
  DEFAULT_READINGS_TAKE,
  MAX_READINGS_TOGETHER,
  type Operations,
  type Query,
} from '@fieldwatch/contract';
import { credentialOf, type Format, type Handler, type ResponseCache } from '../../http/index.ts';
import { invalid, isoDateTime, notFound } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { nameDamage } from '../damage.ts';
import { csvOf } from '../export/index.ts';
import { requireComplete } from '../incomplete.ts';
import { createPrometheusHandler, createRemoteReadHandler } from '../prometheus/index.ts';
import type { Readings } from '../readings.ts';
import { chartJson, chartsJson } from './chart-json.ts';
import { chartsCsv, chartsOf, shownRange } from './charts.ts';
import { asColumns, asItems, pageJson, pagesJson, type RawPage } from './raw-json.ts';
import type { HistoryVariable } from './store.ts';
import { createTableHandlers, type TableHandlers } from './table-handlers.ts';
import { VariableLookup } from './variable-lookup.ts';

export interface ReadingHandlersDeps {
  readonly storage: Storage;
  readonly readings: Readings;
  readonly responseCache: ResponseCache;
  /** How long a Device counts as online after it was last seen, unless it has a time of its own. */
  readonly onlineMinutes: number;
}

export interface ReadingHandlers extends TableHandlers {
  readonly list: Handler<Operations['listReadings']>;
  readonly listMany: Handler<Operations['listManyReadings']>;
  readonly latest: Handler<Operations['listLatestValues']>;
  readonly prometheus: Handler<Operations['listPrometheusValues']>;
  readonly remoteRead: Handler<Operations['readPrometheusHistory']>;
}

const ALL_TIMES = { from: 0, to: 8_640_000_000_000_000 };

export function createReadingHandlers(deps: ReadingHandlersDeps): ReadingHandlers {
  const { storage, readings, responseCache } = deps;
  const lookup = new VariableLookup(storage, responseCache);
  return {
    ...createTableHandlers(readings, lookup),
    prometheus: createPrometheusHandler(deps),
    remoteRead: createRemoteReadHandler(deps),
    async list({ params: { organizationId, variableId }, query }, { now, format, caller }) {
      if (isFileFormat(format)) {
        const variables = await lookup.find(organizationId, [variableId]);
        if (variables.length === 0) throw notFound('Variable');
        const request = { now, format, credential: credentialOf(caller) };
        return await fileOf(readings, { variables, variableIds: null }, query, request);
      }
      return await lookup.read(organizationId, [variableId], async ([variable]) => {
        if (!variable) throw notFound('Variable');
        if (query.buckets !== undefined) {
          const [chart] = await shownCharts(readings, [variable], query, now);
          if (!chart) throw notFound('Variable');
          return format === 'columns' ? { columns: chartJson(chart, variable) } : { body: chart };
        }
        const [page] = await pagesOf(readings, [variable], query);
        if (!page) throw notFound('Variable');
        return format === 'columns'
          ? { columns: pageJson(page, asColumns) }
          : { json: pageJson(page, asItems) };
      });
    },
    async listMany({ params: { organizationId }, query }, { now, format, caller }) {
      const ids = [...new Set(query.ids.map((id) => id.toLowerCase()))];
      if (isFileFormat(format)) {
        const variables = await lookup.find(organizationId, ids);
        const table = { variables, variableIds: variables.map(({ id }) => id) };
        const request = { now, format, credential: credentialOf(caller) };
        return await fileOf(readings, table, query, request);
      }
      return await lookup.read(organizationId, ids, async (variables) => {
        if (query.buckets === undefined) {
          const pages = await pagesOf(readings, variables, query);
          return format === 'columns'
            ? { columns: pagesJson(pages, asColumns) }
            : { json: pagesJson(pages, asItems) };
        }
        const charts = await shownCharts(readings, variables, query, now);
        if (format === 'columns') return { columns: chartsJson(charts, variables) };
        const isIncomplete = charts.some(({ incomplete }) => incomplete);
        return { body: { items: charts, ...(isIncomplete && { incomplete: true }) } };
      });
    },
    async latest({ params: { organizationId }, query: { ids = [] } }, { format }) {
      const variables = await lookup.find(organizationId, ids);
      const { values, isIncomplete } = await readings.latest(variables);
      const items = variables.flatMap(({ id: variableId }, index) => {
        const latest = values[index];
        return latest ? [{ variableId, timestamp: latest.at, value: latest.value }] : [];
      });
      if (format !== 'csv') return { body: { items, ...(isIncomplete && { incomplete: true }) } };
      requireComplete({ isIncomplete });
      return { csv: csvOf(['variableId', 'timestamp', 'value'], items), fileName: 'latest values' };
    },
  };
}

type ListQuery = Omit<Query<Operations['listManyReadings']>, 'ids'>;

interface Table {
  readonly variables: readonly HistoryVariable[];
  /** Null when the table has no id column. */
  readonly variableIds: readonly string[] | null;
}

type FileFormat = 'csv' | 'parquet';

function isFileFormat(format: Format): format is FileFormat {
  return format === 'csv' || format === 'parquet';
}

interface FileRequest {
  readonly now: number;
  readonly format: FileFormat;
  readonly credential: string;
}

/** The response as a file. */
async function fileOf(
  readings: Readings,
  { variables, variableIds }: Table,
  query: ListQuery,
  { now, format, credential }: FileRequest,
) {
  const fileName = fileNameOf(variables, query);
  if (query.buckets === undefined) {
    const plan = { format, variableIds, names: null, take: query.take ?? Infinity };
    const bytes = await readings.export(plan, variables, rangeOf(query), credential);
    return format === 'csv' ? { csv: bytes, fileName } : { parquet: bytes, fileName };
  }
  if (format === 'parquet') {
    throw invalid({ path: 'buckets', message: 'has no meaning in a Parquet file' });
  }
  const history = await readings.openHistory(variables, openedRange(query));
  requireComplete(history);
  const range = await shownRange(history, query, now);
  const csv = await chartsCsv(history, variables, range, query.buckets, variableIds !== null);
  return { csv, fileName };
}

/** Names the file after Device, Variable and requested times. */
function fileNameOf(
  variables: readonly HistoryVariable[],
  { startTime, endTime }: ListQuery,
): string {
  const [first] = variables;
  const subject =
    first && variables.length === 1
      ? `${first.deviceName} ${first.name}`
      : `readings of ${variables.length} Variables`;
  const day = (time: number) => isoDateTime(time).slice(0, 10);
  const from = startTime === undefined ? '' : ` from ${day(startTime)}`;
  const to = endTime === undefined ? '' : ` to ${day(endTime)}`;
  return `${subject}${from}${to}`;
}

function rangeOf({ startTime = ALL_TIMES.from, endTime = ALL_TIMES.to }: ListQuery) {
  return { from: startTime, to: endTime };
}

/** Where a chart begins or ends with the readings, all of them decide. */
function openedRange(query: ListQuery) {
  const { startTime, endTime } = query;
  return startTime === undefined || endTime === undefined ? ALL_TIMES : rangeOf(query);
}

async function shownCharts(
  readings: Readings,
  variables: readonly HistoryVariable[],
  query: ListQuery & { readonly buckets?: number },
  now: number,
) {
  const charts = async () => {
    const history = await readings.openHistory(variables, openedRange(query));
    const range = await shownRange(history, query, now);
    return chartsOf(history, variables, range, query.buckets ?? 1);
  };
  return await charts().catch(nameDamage);
}

/** The first readings of each Variable. */
async function pagesOf(
  readings: Readings,
  variables: readonly HistoryVariable[],
  query: ListQuery,
): Promise<RawPage[]> {
  const most = Math.floor(MAX_READINGS_TOGETHER / Math.max(1, variables.length));
  const take = query.take ?? Math.min(DEFAULT_READINGS_TAKE, most);
  const pages = async () => {
    const history = await readings.openHistory(variables, rangeOf(query));
    const found = await history.raw(rangeOf(query), take);
    return found.map(({ count, parts, nextStartTime }, index) => ({
      ...{ variableId: variables[index]?.id ?? '', count, parts, nextStartTime },
      isIncomplete: history.isIncompleteAt(index),
    }));
  };
  return await pages().catch(nameDamage);
}
