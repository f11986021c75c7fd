import type { PresenceBoard } from '../devices/index.ts';
import type { Reading } from '../readings/index.ts';
import type { Clock, Log } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import type { DeviceEntries } from '../variables/index.ts';
import { createExits, type Exits } from './exits/index.ts';
import type { BatchLimits } from './group-commit.ts';
import { createHttpIngest, type HttpIngest } from './http.ts';
import { createPipeline, type Pipeline } from './pipeline.ts';

export interface IngestDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly entries: DeviceEntries;
  readonly presence: PresenceBoard;
  readonly commit: (readings: readonly Reading[]) => Promise<void>;
  readonly announce: (readings: readonly Reading[]) => void;
  readonly limits?: BatchLimits;
}

/** Takes readings in, by whichever way they come. */
export interface Ingest {
  readonly take: Pipeline['take'];
  readonly http: HttpIngest;
  readonly exits: Exits;
  start(): void;
  /** Finishes what was taken, and writes down what became of it. */
  stop(): Promise<void>;
}

const FLUSH_EVERY_MS = 2_000;
const SWEEP_EVERY_MS = 60_000;

export function createIngest(deps: IngestDeps): Ingest {
  const { entries, presence } = deps;
  const exits = createExits(deps);
  const pipeline = createPipeline({ ...deps, exits, onSeen: presence.seen });
  const timers: NodeJS.Timeout[] = [];

  async function flush(): Promise<void> {
    await Promise.all([exits.flush(), presence.flush()]);
  }

  return {
    take: pipeline.take,
    http: createHttpIngest({ entries, take: pipeline.take }),
    exits,
    start() {
      timers.push(setInterval(() => void flush(), FLUSH_EVERY_MS));
      timers.push(setInterval(entries.sweep, SWEEP_EVERY_MS));
      for (const timer of timers) timer.unref();
    },
    async stop() {
      for (const timer of timers) clearInterval(timer);
      await pipeline.stop();
      await flush();
    },
  };
}
