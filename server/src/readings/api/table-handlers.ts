import {
  MAX_WEIGHTED_READINGS,
  type Operations,
  type Query,
  type ReadingStatistics,
} from '@fieldwatch/contract';
import { credentialOf, type Handler } from '../../http/index.ts';
import { isoDateTime } from '../../runtime/index.ts';
import { nameDamage } from '../damage.ts';
import { bucketTable } from '../export/index.ts';
import { requireComplete } from '../incomplete.ts';
import type { History } from '../query/index.ts';
import type { Range } from '../reading.ts';
import type { Readings } from '../readings.ts';
import { chartsOf } from './charts.ts';
import type { HistoryVariable } from './store.ts';
import type { VariableLookup } from './variable-lookup.ts';

export interface TableHandlers {
  readonly statistics: Handler<Operations['listReadingStatistics']>;
  readonly exportTable: Handler<Operations['exportReadings']>;
}

type Item = ReadingStatistics['items'][number];

export function createTableHandlers(
  readings: Pick<Readings, 'openHistory' | 'export'>,
  lookup: VariableLookup,
): TableHandlers {
  return {
    async statistics({ params: { organizationId }, query }) {
      const range = rangeOf(query);
      const items = await lookup.read(organizationId, idsOf(query), async (variables) => {
        const numbers = variables.filter(({ type }) => type === 'NUMBER');
        const history = await readings.openHistory(numbers, range);
        return await statisticsOf(history, numbers, range).catch(nameDamage);
      });
      return { body: { items } };
    },
    async exportTable({ params: { organizationId }, query }, { format, caller }) {
      const variables = await lookup.find(organizationId, idsOf(query));
      const names = variables.map(namesOf);
      const file = format === 'parquet' ? 'parquet' : 'csv';
      const range = rangeOf(query);
      const { buckets } = query;
      const fileName = fileNameOf(variables, range);
      if (buckets === undefined) {
        const plan = { format: file, variableIds: null, names, take: Infinity } as const;
        const bytes = await readings.export(plan, variables, range, credentialOf(caller));
        return file === 'csv' ? { csv: bytes, fileName } : { parquet: bytes, fileName };
      }
      const history = await readings.openHistory(variables, range);
      requireComplete(history);
      const charts = await chartsOf(history, variables, range, buckets).catch(nameDamage);
      const table = bucketTable(charts, names, file);
      return file === 'csv' ? { csv: table, fileName } : { parquet: table, fileName };
    },
  };
}

function idsOf({ ids }: { readonly ids: readonly string[] }): string[] {
  return [...new Set(ids.map((id) => id.toLowerCase()))];
}

function rangeOf({ startTime, endTime }: Query<Operations['exportReadings']>): Range {
  return { from: startTime, to: endTime };
}

function namesOf({ id, deviceName, name, unit }: HistoryVariable) {
  return { variableId: id, device: deviceName, variable: name, unit };
}

/** Names the file after Device and Variable, or the number of Variables, and the days. */
function fileNameOf(variables: readonly HistoryVariable[], { from, to }: Range): string {
  const [first] = variables;
  const isOne = first !== undefined && variables.length === 1;
  const subject = isOne
    ? `${first.deviceName} ${first.name}`
    : `readings of ${variables.length} Variables`;
  const [start, end] = [from, to].map((time) => isoDateTime(time).slice(0, 10));
  return `${subject} from ${start} to ${end}`;
}

/** One bucket over the range, which the stored summaries answer, and the means over time. */
async function statisticsOf(
  history: History,
  variables: readonly HistoryVariable[],
  range: Range,
): Promise<Item[]> {
  const buckets = (await history.buckets(range, 1)).map(([bucket]) => bucket);
  const weighted = weightedOrdinals(buckets.map((bucket) => bucket?.count ?? 0));
  const means = await history.at(weighted).timeWeightedMeans(range);
  const meanOf = new Map([...weighted].map((ordinal, index) => [ordinal, means[index] ?? null]));
  return buckets.flatMap((bucket, ordinal): Item[] => {
    const variable = variables[ordinal];
    if (!bucket || !variable) return [];
    const { timestamp: _, ...summary } = bucket;
    const timeWeightedMean = meanOf.get(ordinal) ?? null;
    const own = { variableId: variable.id, ...summary, timeWeightedMean };
    return [history.isIncompleteAt(ordinal) ? { ...own, incomplete: true } : own];
  });
}

/** The Variables whose readings, together with those before, are few enough to be decoded. */
export function weightedOrdinals(counts: readonly number[]): ReadonlySet<number> {
  const chosen = new Set<number>();
  let total = 0;
  for (const [ordinal, count] of counts.entries()) {
    total += count;
    if (count > 0 && total <= MAX_WEIGHTED_READINGS) chosen.add(ordinal);
  }
  return chosen;
}
