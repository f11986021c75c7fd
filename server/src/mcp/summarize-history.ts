import type { FoundVariable } from '@fieldwatch/contract';
import Type from 'typebox';
import { isoDateTime } from '../runtime/index.ts';
import type { Answer } from './answer.ts';
import { findExtreme, isNumeric, meanOf, readBuckets, readChanges, rounded } from './history.ts';
import { closed, id, range } from './inputs.ts';
import { shownVariable, variablesById } from './named-variables.ts';
import {
  rangeOf,
  type Source,
  shownRange,
  type TimeRange,
  type Tool,
  ToolError,
  tool,
} from './tool.ts';

const DEFAULT_RANGE_MS = 24 * 3_600_000;
const DEFAULT_BUCKETS = 24;
const MAX_BUCKETS = 100;

const shownExtreme = (extreme: Awaited<ReturnType<typeof findExtreme>>) =>
  extreme && {
    value: extreme.value,
    time: extreme.timestamp === null ? null : isoDateTime(extreme.timestamp),
  };

async function summarizeNumbers(
  source: Source,
  variable: FoundVariable,
  span: TimeRange,
  buckets: number,
): Promise<Answer> {
  const reply = await readBuckets(source, { variableId: variable.id, ...span }, buckets);
  const { items } = reply;
  return {
    facts: {
      ...shownVariable(variable),
      ...shownRange(span),
      readingCount: items.reduce((sum, each) => sum + each.count, 0),
      min: shownExtreme(await findExtreme(source, reply, 'min')),
      max: shownExtreme(await findExtreme(source, reply, 'max')),
      mean: meanOf(items),
      first: items[0]?.first ?? null,
      last: items.at(-1)?.last ?? null,
      bucketSeconds: reply.bucketMs / 1000,
      ...(reply.incomplete ? { incomplete: true } : {}),
    },
    lists: {
      buckets: items.map(({ timestamp, count, min, max, mean, last }) => ({
        startTime: isoDateTime(timestamp),
        count,
        min,
        max,
        mean: rounded(mean),
        last,
      })),
    },
    advice: 'Ask for fewer buckets or a shorter range.',
  };
}

async function summarizeChanges(
  source: Source,
  variable: FoundVariable,
  span: TimeRange,
  buckets: number,
): Promise<Answer> {
  const reply = await readChanges(source, { variableId: variable.id, ...span }, buckets);
  return {
    facts: {
      ...shownVariable(variable),
      ...shownRange(span),
      ...(reply.incomplete ? { incomplete: true } : {}),
    },
    lists: {
      changes: reply.items.map(({ startTime, endTime, value }) => ({
        value,
        startTime: isoDateTime(startTime),
        endTime: isoDateTime(endTime),
      })),
    },
    advice: 'Ask for fewer buckets or a shorter range.',
  };
}

export const summarizeHistory: Tool = tool({
  name: 'summarize_history',
  title: 'Summarize history',
  description:
    'Summarize the stored readings of one Variable over a time range. Of a numeric Variable: lowest and highest value with the times at which they were first reached, mean, first and last value, and equal parts of the range (buckets), each with count, min, max, mean and last; parts without readings are left out. Of another Variable: its changes of value. Use it for trends and to see when something began.',
  input: Type.Object(
    {
      variableId: id('The id of the Variable, from find or get_latest_values'),
      ...range('24 hours'),
      buckets: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_BUCKETS,
          description: `Number of equal parts of the range; ${DEFAULT_BUCKETS} when left out`,
        }),
      ),
    },
    closed,
  ),
  async run(source, { variableId, buckets = DEFAULT_BUCKETS, ...given }) {
    const span = rangeOf(source, given, DEFAULT_RANGE_MS);
    const variable = (await variablesById(source, [variableId])).get(variableId.toLowerCase());
    if (!variable) throw new ToolError('There is no Variable with this variableId.');
    const summarize = isNumeric(variable) ? summarizeNumbers : summarizeChanges;
    return summarize(source, variable, span, buckets);
  },
});
