import type { DeviceIndex, Presence } from '../presence/index.ts';
import type { Reading } from '../readings/index.ts';
import { type Clock, createWriteBehind, every, type Log } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import type { DeviceCache } from '../variables/index.ts';
import { ArrivalTimes } from './arrival-times.ts';
import type { CommitReadings, Judge } from './commit-batch.ts';
import type { BatchLimits } from './group-commit.ts';
import { createHttpIngest, type HttpIngest } from './http.ts';
import { createPipeline, type Pipeline } from './pipeline.ts';
import {
  createDeadLetters,
  createRejections,
  type DeadLetters,
  type Rejections,
} from './rejections/index.ts';

export interface IngestDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly deviceCache: DeviceCache;
  readonly deviceIndex: DeviceIndex;
  readonly presence: Presence;
  /** The newest reading of each Variable that is stored ahead of the clock. */
  readonly storedAhead: readonly { readonly seriesId: number; readonly at: number }[];
  readonly judge: Judge;
  readonly commit: CommitReadings;
  readonly announce: (readings: readonly Reading[]) => void;
  readonly limits?: BatchLimits;
}

/** Receives readings over HTTP and MQTT. */
export interface Ingest {
  readonly submit: Pipeline['submit'];
  readonly http: HttpIngest;
  readonly rejections: Rejections;
  readonly deadLetters: DeadLetters;
  start(): void;
  /** Completes the messages in flight, and writes their counts. */
  stop(): Promise<void>;
}

const EVICT_EVERY_MS = 60_000;
/** Few enough that commits of readings do not wait, with a hundred thousand Devices. */
const DEVICES_PER_WRITE = 4_000;

export function createIngest(deps: IngestDeps): Ingest {
  const { deviceCache, presence, clock, log } = deps;
  const rejections = createRejections(deps);
  const arrivals = new ArrivalTimes(clock.now());
  for (const { seriesId, at } of deps.storedAhead) arrivals.reserve(seriesId, at);
  const pipeline = createPipeline({ ...deps, arrivals, rejections, onSeen: presence.readingSeen });
  const writeBehinds = [rejections.flush, presence.flush].map((write) =>
    createWriteBehind(clock, () => write(DEVICES_PER_WRITE)),
  );
  const evictions = every(EVICT_EVERY_MS, deviceCache.evictIdle, (error) =>
    log.error({ err: error }, 'eviction of idle Devices failed'),
  );

  return {
    submit: pipeline.submit,
    http: createHttpIngest({ deviceCache, submit: pipeline.submit }),
    rejections,
    deadLetters: createDeadLetters(deps),
    start() {
      for (const each of writeBehinds) each.start();
      evictions.start();
    },
    async stop() {
      for (const each of writeBehinds) each.stop();
      await Promise.all([evictions.stop(), pipeline.stop()]);
      await Promise.all([rejections.flush(), presence.flush()]);
    },
  };
}
