import type { Ownership, Peers } from '../nodes/index.ts';
import type { DeviceIndex, Presence } from '../presence/index.ts';
import type { Reading } from '../readings/index.ts';
import { type Clock, createWriteBehind, every, type Log } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import type { DeviceCache } from '../variables/index.ts';
import { ArrivalTimes } from './arrival-times.ts';
import type { CommitReadings, Judge, JudgeInParts } from './commit-batch.ts';
import { createForwarding } from './forwarding/index.ts';
import type { BatchLimits } from './group-commit.ts';
import { createHttpIngest, type HttpIngest } from './http.ts';
import type { Submit } from './message.ts';
import { createPipeline } from './pipeline.ts';
import {
  createDeadLetters,
  createRejections,
  type DeadLetters,
  type Rejections,
} from './rejections/index.ts';
import { createReload } from './reload.ts';

export interface IngestDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly deviceCache: DeviceCache;
  readonly deviceIndex: DeviceIndex;
  readonly presence: Presence;
  /** The newest reading of each Variable that is stored at or after a time. */
  readonly latestFrom: (
    from: number,
  ) => Promise<readonly { readonly seriesId: number; readonly at: number }[]>;
  readonly ownership: Ownership;
  readonly peers: Pick<Peers, 'serve' | 'call'>;
  readonly judge: Judge;
  readonly judgeInParts: JudgeInParts;
  readonly commit: CommitReadings;
  readonly announce: (readings: readonly Reading[]) => void;
  readonly limits?: BatchLimits;
}

/** Receives readings over HTTP and MQTT. */
export interface Ingest {
  readonly submit: Submit;
  /** Stores a synthetic reading of no organization, as all others are stored. */
  probe(): Promise<Reading>;
  readonly http: HttpIngest;
  readonly rejections: Rejections;
  readonly deadLetters: DeadLetters;
  /** Messages that were passed to and by other nodes since the start. */
  forwardedMessages(): Readonly<Record<'sent' | 'received', number>>;
  /** The age of the oldest message that is not stored yet; 0 when there is none. */
  oldestMessageMs(): number;
  /** Resolves when the messages in flight of Devices that this node no longer acts for are stored. */
  settled(): Promise<void>;
  start(): Promise<void>;
  /** Completes the messages in flight, and writes their counts. */
  stop(): Promise<void>;
}

const EVICT_EVERY_MS = 60_000;
/** Few enough that commits of readings do not wait, with a hundred thousand Devices. */
const DEVICES_PER_WRITE = 4_000;

export function createIngest(deps: IngestDeps): Ingest {
  const { deviceCache, presence, ownership, clock, log } = deps;
  const rejections = createRejections(deps);
  const arrivals = new ArrivalTimes(clock.now());
  /** Readings are stored ahead of the clock when it was set back, or by the clock of another node. */
  async function reserveStored(): Promise<void> {
    const stored = await deps.latestFrom(clock.now());
    for (const { seriesId, at } of stored) arrivals.reserve(seriesId, at);
  }
  ownership.onChange(({ gained }) => {
    if (gained.size === 0) return;
    arrivals.raise(clock.now() + 1);
    reserveStored().catch((error: unknown) =>
      log.warn({ err: error }, 'readings ahead of the clock could not be read'),
    );
  });
  const pipeline = createPipeline({
    ...deps,
    arrivals,
    rejections,
    owns: (deviceId, isForwarded) =>
      ownership.owns(deviceId) && (isForwarded || !forwarding.holds(deviceId)),
    forward: (message, completion) => forwarding.submit(message, completion),
    onSeen: presence.readingSeen,
    reload: createReload(deps),
  });
  const { forwarding, totals } = createForwarding({ ...deps, submit: pipeline.submit });
  const writeBehinds = [rejections.flush, presence.flush].map((write) =>
    createWriteBehind(clock, () => write(DEVICES_PER_WRITE)),
  );
  const evictions = every(EVICT_EVERY_MS, deviceCache.evictIdle, (error) =>
    log.error({ err: error }, 'eviction of idle Devices failed'),
  );

  return {
    submit: pipeline.submit,
    probe: pipeline.probe,
    http: createHttpIngest({ deviceCache, submit: pipeline.submit, clock }),
    rejections,
    deadLetters: createDeadLetters(deps),
    forwardedMessages: totals,
    oldestMessageMs() {
      const oldest = Math.min(pipeline.oldestSince(), forwarding.oldestSince);
      return Math.max(0, clock.elapsed() - oldest);
    },
    settled: pipeline.settled,
    async start() {
      await reserveStored();
      for (const each of writeBehinds) each.start();
      evictions.start();
    },
    async stop() {
      for (const each of writeBehinds) each.stop();
      forwarding.stop();
      await Promise.all([evictions.stop(), pipeline.stop()]);
      await Promise.all([rejections.flush(), presence.flush()]);
    },
  };
}
