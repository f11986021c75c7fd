import type { LiveReading } from '../announcement.ts';
import type { LiveNews } from '../news.ts';
import type { Filter } from '../stream/index.ts';

/** What the streams of a node follow, by organization. */
export type Follows = ReadonlyMap<string, readonly Filter[]>;

/** Beyond so many ids a node follows a whole organization. */
const MAX_IDS_PER_ORGANIZATION = 10_000;
const EVERYTHING: Filter = { variables: null, devices: null };

interface EncodedFilter {
  readonly variables: readonly string[] | null;
  readonly devices: readonly string[] | null;
}

interface EncodedFollows {
  readonly epoch: number;
  readonly sequence: number;
  readonly organizations: readonly (readonly [string, readonly EncodedFilter[]])[];
}

export interface FollowCall {
  /** Identifies the start of the node that follows. */
  readonly epoch: number;
  /** Ascending within a start. */
  readonly sequence: number;
  readonly follows: Follows;
}

export function encodeFollow({ epoch, sequence, follows }: FollowCall): Buffer {
  const organizations = [...follows].map(
    ([id, filters]) => [id, bounded(filters).map(encodedFilter)] as const,
  );
  const content: EncodedFollows = { epoch, sequence, organizations };
  return Buffer.from(JSON.stringify(content));
}

export function decodeFollow(bytes: Buffer): FollowCall {
  const { epoch, sequence, organizations }: EncodedFollows = JSON.parse(bytes.toString());
  const follows = organizations.map(([id, filters]): [string, Filter[]] => [
    id,
    filters.map(decodedFilter),
  ]);
  return { epoch, sequence, follows: new Map(follows) };
}

/** Filters that let everything pass make all others needless; so do very many ids. */
function bounded(filters: readonly Filter[]): readonly Filter[] {
  let ids = 0;
  for (const { variables, devices } of filters) {
    if (variables === null && devices === null) return [EVERYTHING];
    ids += (variables?.size ?? 0) + (devices?.size ?? 0);
  }
  return ids > MAX_IDS_PER_ORGANIZATION ? [EVERYTHING] : filters;
}

function encodedFilter({ variables, devices }: Filter): EncodedFilter {
  return { variables: variables && [...variables], devices: devices && [...devices] };
}

function decodedFilter({ variables, devices }: EncodedFilter): Filter {
  return { variables: variables && new Set(variables), devices: devices && new Set(devices) };
}

type EncodedReading = readonly [
  id: string,
  deviceId: string,
  at: number,
  value: LiveReading['value'],
];

export function encodeNews(news: readonly LiveNews[]): Buffer {
  const encoded = news.map(({ readings, ...rest }) => ({
    ...rest,
    readings: readings.map(
      ({ variable, at, value }): EncodedReading => [variable.id, variable.deviceId, at, value],
    ),
  }));
  return Buffer.from(JSON.stringify(encoded));
}

export function decodeNews(bytes: Buffer): LiveNews[] {
  const encoded: readonly (Omit<LiveNews, 'readings'> & { readings: EncodedReading[] })[] =
    JSON.parse(bytes.toString());
  return encoded.map(({ readings, ...rest }) => ({
    ...rest,
    readings: readings.map(([id, deviceId, at, value]) => ({
      variable: { id, deviceId, organizationId: rest.organizationId },
      at,
      value,
    })),
  }));
}
