import Type, { type Static } from 'typebox';
import { operation } from './operation.ts';
import {
  incomplete,
  MAX_BUCKETS,
  MAX_READINGS_IDS,
  MAX_READINGS_TOGETHER,
  path,
  rangeErrors,
  readings,
  time,
  togetherErrors,
} from './readings.ts';
import { closed, Id, nullable } from './schema.ts';

/** Readings that are decoded for the time-weighted means of one reply. */
export const MAX_WEIGHTED_READINGS = 2_000_000;

const ids = {
  ...Type.Array(Type.String(), { minItems: 1, maxItems: MAX_READINGS_IDS }),
  description: 'Unknown ids are ignored; duplicates count once',
};
const span = {
  startTime: { ...time, description: 'Epoch milliseconds, inclusive' },
  endTime: { ...time, description: 'Epoch milliseconds, inclusive' },
};

export const ReadingStatistics = Type.Object(
  {
    items: Type.Array(
      Type.Object(
        {
          variableId: Id,
          count: Type.Integer({ minimum: 1, description: 'Number of readings in the range' }),
          min: Type.Number(),
          max: Type.Number(),
          mean: Type.Number({ description: 'The mean of the readings, each counted alike' }),
          timeWeightedMean: nullable(
            Type.Number({
              description: `The mean over time, from the first to the last reading of the range: each reading counts for as long as it lasts, until the next one. Null where the Variable, together with those before it, has more than ${MAX_WEIGHTED_READINGS} readings`,
            }),
          ),
          first: Type.Number(),
          last: Type.Number(),
          incomplete,
        },
        closed,
      ),
      { description: 'Variables of type NUMBER that have readings, in the given order' },
    ),
  },
  closed,
);

export type ReadingStatistics = Static<typeof ReadingStatistics>;

export const listReadingStatistics = operation({
  ...readings,
  id: 'listReadingStatistics',
  method: 'GET',
  path: `${path}/readings/statistics`,
  summary: 'Summarize the readings of numeric Variables over a range',
  query: Type.Object({ ids, ...span }, closed),
  check: ({ query }) => rangeErrors(query),
  reply: { status: 200, description: 'The statistics', body: ReadingStatistics },
});

export const exportReadings = operation({
  ...readings,
  id: 'exportReadings',
  method: 'GET',
  path: `${path}/readings/export`,
  summary:
    'Export the history of several Variables as one table, with the names of Device and Variable and the unit in each row',
  query: Type.Object(
    {
      ids,
      ...span,
      buckets: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_BUCKETS,
          description: `Equal parts of the range, each summarized, instead of every reading; at most ${MAX_READINGS_TOGETHER} for all ids together. Variables of other types than NUMBER have a row for each change of value`,
        }),
      ),
    },
    closed,
  ),
  check: ({ query }) => [...rangeErrors(query), ...togetherErrors(query)],
  reply: {
    status: 200,
    description: 'One row per reading or bucket, in order of time, one Variable after the other',
    mediaType: 'text/csv',
    body: Type.String(),
    csv: true,
    parquet: true,
  },
});
