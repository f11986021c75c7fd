import { MAX_READINGS_IDS, type Site } from '@fieldwatch/contract';
import { useMemo } from 'react';
import { useSteppedNow } from '../runtime/index.ts';
import { useReadColumns } from '../service/index.ts';
import { fuelVariables, loadVariables } from './supply.ts';

const STEP_MS = 15 * 60_000;
const RANGE_MS = 24 * 60 * 60_000;
const REFRESH_MS = 60_000;

/** The means of a Variable over equal parts of a day. */
export interface Course {
  /** The start of each part; parts without readings are left out. */
  readonly timestamp: readonly number[];
  readonly mean: readonly number[];
}

/** The history of the last day of some Variables, by their ids. */
export interface Trends {
  readonly startMs: number;
  readonly endMs: number;
  readonly stepMs: number;
  readonly isPending: boolean;
  readonly courses: ReadonlyMap<string, Course>;
}

const trendIdsOf = ({ variables }: Site) =>
  [...loadVariables(variables), ...fuelVariables(variables)].map(({ id }) => id);

/** Sites in groups, the history of each of which one request can ask for. */
export function batchesOfSites(sites: readonly Site[]): readonly (readonly Site[])[] {
  const batches: Site[][] = [];
  let room = 0;
  for (const site of sites) {
    const count = trendIdsOf(site).length;
    if (batches.length === 0 || count > room) {
      batches.push([]);
      room = MAX_READINGS_IDS;
    }
    batches.at(-1)?.push(site);
    room -= count;
  }
  return batches;
}

/** The history of load and fuel of a batch of sites, in one request. */
export function useTrends(sites: readonly Site[]): Trends {
  const endMs = useSteppedNow(STEP_MS) + STEP_MS;
  const startMs = endMs - RANGE_MS;
  const ids = [...new Set(sites.flatMap(trendIdsOf))].sort();
  const { data, isLoading } = useReadColumns(
    'listManyReadings',
    { query: { ids, startTime: startMs, endTime: endMs - 1, buckets: RANGE_MS / STEP_MS } },
    { enabled: ids.length > 0, refetchIntervalMs: REFRESH_MS, keepsPrevious: true },
  );
  return useMemo(() => {
    const courses = new Map<string, Course>();
    for (const { variableId, columns } of data?.items ?? [])
      if ('mean' in columns) courses.set(variableId, columns);
    return { startMs, endMs, stepMs: STEP_MS, isPending: isLoading, courses };
  }, [data, isLoading, startMs, endMs]);
}

/** The sum of courses, in the parts of the day in which all of them have readings. */
export function sumOfCourses(courses: readonly (Course | undefined)[]): Course | undefined {
  const [first, ...others] = courses;
  if (!first || others.length === 0) return first;
  const sums = new Map(first.timestamp.map((at, index) => [at, first.mean[index] ?? 0]));
  for (const course of others) {
    const values = new Map(course?.timestamp.map((at, index) => [at, course.mean[index] ?? 0]));
    for (const [at, sum] of sums) {
      const value = values.get(at);
      if (value === undefined) sums.delete(at);
      else sums.set(at, sum + value);
    }
  }
  return { timestamp: [...sums.keys()], mean: [...sums.values()] };
}
