import type { NodeLag, NodeLoad } from '@fieldwatch/contract';
import { type Clock, every, type Periodic } from '../runtime/index.ts';

/** Where the figures of this node come from. Counts are totals since the start. */
export interface LoadSources {
  readonly readings: () => number;
  readonly forwarded: () => number;
  readonly received: () => number;
  readonly mqttSessions: () => number;
  /** The age of the oldest message that is not stored yet; 0 when there is none. */
  readonly oldestMessageMs: () => number;
  readonly flushBacklogBytes: () => number;
  readonly clockDeviationSeconds: () => number;
}

const zero = () => 0;
const NO_SOURCES: LoadSources = {
  readings: zero,
  forwarded: zero,
  received: zero,
  mqttSessions: zero,
  oldestMessageMs: zero,
  flushBacklogBytes: zero,
  clockDeviationSeconds: zero,
};

interface Sample {
  /** By the monotonic clock. */
  readonly at: number;
  readonly cpuMicros: number;
  readonly readings: number;
  readonly forwarded: number;
  readonly received: number;
}

const SAMPLE_INTERVAL_MS = 2_000;
/** Rates are averages over the time of so many samples. */
const MAX_SAMPLES = 6;

/** Measures the load of this node. The parts that count register their counts as they start. */
export class LoadMeter {
  readonly #clock: Clock;
  readonly #samples: Sample[] = [];
  readonly #sampling: Periodic;
  #sources = NO_SOURCES;

  constructor(clock: Clock) {
    this.#clock = clock;
    this.#sampling = every(
      SAMPLE_INTERVAL_MS,
      () => this.sample(),
      () => undefined,
    );
  }

  register(sources: Partial<LoadSources>): void {
    this.#sources = { ...this.#sources, ...sources };
  }

  start(): void {
    this.sample();
    this.#sampling.start();
  }

  readonly stop = (): Promise<void> => this.#sampling.stop();

  sample(): void {
    this.#samples.push(this.#now());
    if (this.#samples.length > MAX_SAMPLES) this.#samples.shift();
  }

  #now(): Sample {
    const { readings, forwarded, received } = this.#sources;
    const { user, system } = process.cpuUsage();
    return {
      at: this.#clock.elapsed(),
      cpuMicros: user + system,
      readings: readings(),
      forwarded: forwarded(),
      received: received(),
    };
  }

  load(): NodeLoad {
    const last = this.#samples.at(-1);
    const [first = last] = this.#samples;
    const seconds = first && last ? (last.at - first.at) / 1_000 : 0;
    const perSecond = (key: Exclude<keyof Sample, 'at'>) =>
      first && last && seconds > 0 ? (last[key] - first[key]) / seconds : 0;
    return {
      readingsPerSecond: rounded(perSecond('readings'), 10),
      cpuShare: rounded(perSecond('cpuMicros') / 1e6, 1_000),
      memoryBytes: process.memoryUsage.rss(),
      mqttSessionCount: this.#sources.mqttSessions(),
      forwardedPerSecond: rounded(perSecond('forwarded'), 10),
      receivedPerSecond: rounded(perSecond('received'), 10),
    };
  }

  lag(): NodeLag {
    const { oldestMessageMs, flushBacklogBytes } = this.#sources;
    return {
      oldestMessageSeconds: rounded(oldestMessageMs() / 1_000, 1_000),
      flushBacklogBytes: flushBacklogBytes(),
    };
  }

  clockDeviationSeconds(): number {
    return rounded(this.#sources.clockDeviationSeconds(), 1_000);
  }
}

function rounded(value: number, parts: number): number {
  return Math.round(value * parts) / parts;
}
