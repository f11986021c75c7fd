import Type, { type Static } from 'typebox';
import { anyCredential, operation, type Sent } from './operation.ts';
import type { FieldError } from './problem.ts';
import { closed, filter, Id, nullable } from './schema.ts';

export const MAX_READINGS_TAKE = 50_000;
export const DEFAULT_READINGS_TAKE = 10_000;
export const MAX_BUCKETS = 5_000;
/** Variables in one question, and what is asked of all of them together. */
export const MAX_READINGS_IDS = 50;
export const MAX_READINGS_TOGETHER = 50_000;
/** The last time that a date can hold. */
const MAX_TIME = 8_640_000_000_000_000;

export const time = Type.Integer({
  minimum: 0,
  maximum: MAX_TIME,
  description: 'Epoch milliseconds',
});

/** What a Variable may hold: a number, true or false, or text, by its type. */
export const ReadingValue = Type.Unsafe<number | boolean | string>({
  type: ['number', 'boolean', 'string'],
});

/** Absent from a reply that is complete. */
export const incomplete = Type.Optional(
  Type.Literal(true, {
    description:
      'The newest readings may be missing, because the node that has them could not be reached within 10 seconds; absent otherwise',
  }),
);

export const RawReadings = Type.Object(
  {
    variableId: Id,
    count: Type.Integer({ minimum: 0, description: 'Number of readings in the range' }),
    items: Type.Array(Type.Object({ timestamp: time, value: ReadingValue }, closed)),
    nextStartTime: nullable(
      Type.Integer({ description: 'The start of the next page; null for the last page' }),
    ),
    incomplete,
  },
  closed,
);

export type RawReadings = Static<typeof RawReadings>;

const range = {
  variableId: Id,
  startTime: time,
  endTime: time,
  bucketMs: Type.Integer(),
  incomplete,
};

export const ReadingBuckets = Type.Object(
  {
    ...range,
    items: Type.Array(
      Type.Object(
        {
          timestamp: Type.Integer({
            description: 'The start of the bucket, in epoch milliseconds',
          }),
          count: Type.Integer({ minimum: 1 }),
          min: Type.Number(),
          max: Type.Number(),
          mean: Type.Number(),
          first: Type.Number(),
          last: Type.Number(),
        },
        closed,
      ),
    ),
  },
  closed,
);

export type ReadingBuckets = Static<typeof ReadingBuckets>;

export const ReadingSegments = Type.Object(
  {
    ...range,
    items: Type.Array(
      Type.Object(
        {
          startTime: time,
          endTime: Type.Integer({
            description: 'The time of the next different value, or of the last reading',
          }),
          value: ReadingValue,
        },
        closed,
      ),
    ),
  },
  closed,
);

export type ReadingSegments = Static<typeof ReadingSegments>;

const times = Type.Array(time);
const numbers = Type.Array(Type.Number());

export const RawColumns = Type.Object(
  {
    variableId: Id,
    count: RawReadings.properties.count,
    columns: Type.Object({ timestamp: times, value: Type.Array(ReadingValue) }, closed),
    nextStartTime: RawReadings.properties.nextStartTime,
    incomplete,
  },
  closed,
);

export type RawColumns = Static<typeof RawColumns>;

export const BucketColumns = Type.Object(
  {
    ...range,
    columns: Type.Object(
      {
        timestamp: times,
        count: Type.Array(Type.Integer({ minimum: 1 })),
        min: numbers,
        max: numbers,
        mean: numbers,
        first: numbers,
        last: numbers,
      },
      closed,
    ),
  },
  closed,
);

export type BucketColumns = Static<typeof BucketColumns>;

export const SegmentColumns = Type.Object(
  {
    ...range,
    columns: Type.Object(
      { startTime: times, endTime: times, value: Type.Array(ReadingValue) },
      closed,
    ),
  },
  closed,
);

export type SegmentColumns = Static<typeof SegmentColumns>;

const ReadingColumns = Type.Union([RawColumns, BucketColumns, SegmentColumns]);

export const ManyColumns = Type.Object({ items: Type.Array(ReadingColumns), incomplete }, closed);

export const ManyReadings = Type.Object(
  { items: Type.Array(Type.Union([RawReadings, ReadingBuckets, ReadingSegments])), incomplete },
  closed,
);

export type ManyReadings = Static<typeof ManyReadings>;

export const LatestValues = Type.Object(
  {
    items: Type.Array(
      Type.Object({ variableId: Id, timestamp: time, value: ReadingValue }, closed),
    ),
    incomplete,
  },
  closed,
);

export const path = '/primary/v1/{organizationId}/devices/variables';
export const readings = { tag: 'Readings', access: anyCredential, effect: 'read' } as const;

const span = {
  startTime: Type.Optional({
    ...time,
    description: 'Epoch milliseconds, inclusive; the default is the first reading',
  }),
  endTime: Type.Optional({
    ...time,
    description: 'Epoch milliseconds, inclusive; the default is the last reading',
  }),
};

const buckets = Type.Optional(
  Type.Integer({
    minimum: 1,
    maximum: MAX_BUCKETS,
    description:
      'For numbers, equal parts of the range, each summarized; for other types, the changes of value',
  }),
);

export const listReadings = operation({
  ...readings,
  id: 'listReadings',
  method: 'GET',
  path: `${path}/{variableId}/readings`,
  summary: 'Query the history of a Variable: its readings, or with `buckets` a summary for a chart',
  query: Type.Object(
    {
      ...span,
      take: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_READINGS_TAKE,
          description: `Readings per page; ${DEFAULT_READINGS_TAKE} when left out. As CSV or Parquet, all come when it is left out`,
        }),
      ),
      buckets,
    },
    closed,
  ),
  check: ({ query }) => rangeErrors(query),
  reply: {
    status: 200,
    description: 'The readings in order of time, in one of three forms',
    body: Type.Union([RawReadings, ReadingBuckets, ReadingSegments]),
    csv: true,
    parquet: true,
    columns: ReadingColumns,
  },
});

export const listManyReadings = operation({
  ...readings,
  id: 'listManyReadings',
  method: 'GET',
  path: `${path}/readings`,
  summary: 'Query the history of several Variables, in the given order',
  query: Type.Object(
    {
      ids: {
        ...Type.Array(Type.String(), { minItems: 1, maxItems: MAX_READINGS_IDS }),
        description: 'Unknown ids are ignored; duplicates count once',
      },
      ...span,
      take: Type.Optional(
        Type.Integer({
          minimum: 1,
          maximum: MAX_READINGS_TAKE,
          description: `Readings of each, at most ${MAX_READINGS_TOGETHER} of all together; as many as that allows, up to ${DEFAULT_READINGS_TAKE}, when left out. As CSV or Parquet, all come when it is left out`,
        }),
      ),
      buckets,
    },
    closed,
  ),
  check: ({ query }) => [...rangeErrors(query), ...togetherErrors(query)],
  reply: {
    status: 200,
    description: 'For each Variable the reply of `listReadings`; in a table, one after the other',
    body: ManyReadings,
    csv: true,
    parquet: true,
    columns: ManyColumns,
  },
});

export function togetherErrors({ ids, take, buckets }: Sent['query']): FieldError[] {
  const variables = Array.isArray(ids) ? new Set(ids).size : 0;
  const most = Math.floor(MAX_READINGS_TOGETHER / Math.max(1, variables));
  return Object.entries({ take, buckets })
    .filter(([, asked]) => typeof asked === 'number' && asked > most)
    .map(([path]) => ({ path, message: `must be at most ${most} for ${variables} ids` }));
}

export function rangeErrors({ startTime, endTime, take, buckets }: Sent['query']): FieldError[] {
  const errors: FieldError[] = [];
  if (typeof startTime === 'number' && typeof endTime === 'number' && endTime < startTime) {
    errors.push({ path: 'endTime', message: 'must not be before startTime' });
  }
  if (take !== undefined && buckets !== undefined) {
    errors.push({ path: 'take', message: 'has no meaning together with buckets' });
  }
  return errors;
}

export const listLatestValues = operation({
  ...readings,
  id: 'listLatestValues',
  method: 'GET',
  path: `${path}/values`,
  summary: 'Retrieve the latest values of Variables, in the given order',
  query: Type.Object(
    { ids: Type.Optional({ ...filter(Type.String()), description: 'Unknown ids are ignored' }) },
    closed,
  ),
  reply: { status: 200, description: 'The latest values', body: LatestValues, csv: true },
});
