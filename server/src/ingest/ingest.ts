import type { DeviceIndex, Presence } from '../presence/index.ts';
import type { Reading } from '../readings/index.ts';
import type { Clock, Log } from '../runtime/index.ts';
import { createWriteBehind } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import type { DeviceCache } from '../variables/index.ts';
import { ArrivalTimes } from './arrival-times.ts';
import type { BatchLimits, CommitBatch } from './group-commit.ts';
import { createHttpIngest, type HttpIngest } from './http.ts';
import { createPipeline, type Pipeline } from './pipeline.ts';
import { createRejections, type Rejections } from './rejections/index.ts';

export interface IngestDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly deviceCache: DeviceCache;
  readonly deviceIndex: DeviceIndex;
  readonly presence: Presence;
  /** The newest reading of each Variable that is stored ahead of the clock. */
  readonly storedAhead: readonly { readonly seriesId: number; readonly at: number }[];
  readonly commit: CommitBatch;
  readonly announce: (readings: readonly Reading[]) => void;
  readonly limits?: BatchLimits;
}

/** Takes readings in, by whichever way they come. */
export interface Ingest {
  readonly submit: Pipeline['submit'];
  readonly http: HttpIngest;
  readonly rejections: Rejections;
  start(): void;
  /** Finishes what was taken, and writes down what became of it. */
  stop(): Promise<void>;
}

const EVICT_EVERY_MS = 60_000;
/** Of a hundred thousand that report, few enough that readings do not wait for it. */
const DEVICES_A_WRITE = 4_000;

export function createIngest(deps: IngestDeps): Ingest {
  const { deviceCache, presence, clock } = deps;
  const rejections = createRejections(deps);
  const arrivals = new ArrivalTimes(clock.now());
  for (const { seriesId, at } of deps.storedAhead) arrivals.reserve(seriesId, at);
  const pipeline = createPipeline({ ...deps, arrivals, rejections, onSeen: presence.readingSeen });
  const behind = [rejections.flush, presence.flush].map((write) =>
    createWriteBehind(clock, () => write(DEVICES_A_WRITE)),
  );
  let evicting: NodeJS.Timeout | undefined;

  return {
    submit: pipeline.submit,
    http: createHttpIngest({ deviceCache, submit: pipeline.submit }),
    rejections,
    start() {
      for (const each of behind) each.start();
      evicting = setInterval(deviceCache.evictIdle, EVICT_EVERY_MS).unref();
    },
    async stop() {
      clearInterval(evicting);
      for (const each of behind) each.stop();
      await pipeline.stop();
      await Promise.all([rejections.flush(), presence.flush()]);
    },
  };
}
