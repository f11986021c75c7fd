import type { FoundVariable, ReadingBuckets, ReadingSegments } from '@fieldwatch/contract';
import type { Source, TimeRange } from './tool.ts';

/** Readings that are read one by one to find the time of an extreme; of more, a summary narrows it down. */
const MAX_READINGS_READ = 1_000;
const NARROWING_BUCKETS = 500;

interface Series extends TimeRange {
  readonly variableId: string;
}

/** The readings of a range, or undefined where there are more than `take`. */
export async function readAll(
  { client, organizationId }: Source,
  { variableId, startTime, endTime }: Series,
  take: number,
) {
  const query = { startTime, endTime, take };
  const reply = await client.listReadings({ organizationId, variableId, query });
  if ('bucketMs' in reply) return undefined;
  return reply.nextStartTime === null ? reply.items : undefined;
}

/** A summary of the readings of a numeric Variable. */
export async function readBuckets(
  { client, organizationId }: Source,
  { variableId, startTime, endTime }: Series,
  buckets: number,
): Promise<ReadingBuckets> {
  const query = { startTime, endTime, buckets };
  return (await client.listReadings({ organizationId, variableId, query })) as ReadingBuckets;
}

/** The changes of value of a Variable that is not numeric; more than `buckets` are merged by the server. */
export async function readChanges(
  { client, organizationId }: Source,
  { variableId, startTime, endTime }: Series,
  buckets: number,
): Promise<ReadingSegments> {
  const query = { startTime, endTime, buckets };
  return (await client.listReadings({ organizationId, variableId, query })) as ReadingSegments;
}

type Bucket = ReadingBuckets['items'][number];

/** The first time in the range of the buckets at which the Variable had its lowest or highest value. */
export async function findExtreme(
  source: Source,
  reply: ReadingBuckets,
  kind: 'min' | 'max',
): Promise<{ readonly value: number; readonly timestamp: number | null } | null> {
  const { variableId } = reply;
  const first = extremeBucket(reply.items, kind);
  if (first === undefined) return null;
  const value = first[kind];
  let [series, bucket] = [{ ...reply }, first];
  for (;;) {
    const startTime = Math.max(series.startTime, bucket.timestamp);
    const endTime = Math.min(series.endTime, bucket.timestamp + series.bucketMs - 1);
    const range = { variableId, startTime, endTime };
    if (bucket.count <= MAX_READINGS_READ) {
      const readings = (await readAll(source, range, MAX_READINGS_READ)) ?? [];
      const reading = readings.find((each) => each.value === value);
      return { value, timestamp: reading?.timestamp ?? null };
    }
    series = await readBuckets(source, range, NARROWING_BUCKETS);
    const next = series.items.find((each) => each[kind] === value);
    // Readings arrived late in between, and the summary no longer has the value.
    if (next === undefined) return { value, timestamp: null };
    bucket = next;
  }
}

function extremeBucket(items: readonly Bucket[], kind: 'min' | 'max'): Bucket | undefined {
  return items.reduce<Bucket | undefined>((best, each) => {
    if (best === undefined) return each;
    return (kind === 'min' ? each.min < best.min : each.max > best.max) ? each : best;
  }, undefined);
}

/** The mean of all readings of the buckets. */
export function meanOf(items: readonly Bucket[]): number | null {
  const count = items.reduce((sum, each) => sum + each.count, 0);
  if (count === 0) return null;
  return rounded(items.reduce((sum, each) => sum + each.mean * (each.count / count), 0));
}

/** A calculated value without digits that only the calculation brought in. */
export function rounded(value: number): number {
  return Number(value.toPrecision(6));
}

export function isNumeric({ type }: Pick<FoundVariable, 'type'>): boolean {
  return type === 'NUMBER';
}
