import {
  ALWAYS_READY,
  CLEAR,
  type JudgedTerms,
  type Judgement,
  judge,
  judgeByClock,
  type Transition,
  type Value,
  type Watch,
} from '../judgement/index.ts';

/** Nothing is known of what comes behind the end, and nothing of what comes behind now. */
export interface BacktestLimits {
  readonly endTime: number;
  readonly now: number;
  readonly maxEvents: number;
}

/** The outcome, with times in epoch milliseconds. */
export interface BacktestResult {
  readonly readingCount: number;
  readonly eventCount: number;
  readonly triggeredMs: number;
  readonly events: readonly BacktestEvent[];
}

interface BacktestEvent {
  readonly raisedAt: number;
  readonly raisedValue: Value;
  clearedAt: number | null;
  clearedValue: Value | null;
}

/** What an Alarm would have done with readings that come in the order of time. */
export class Backtest {
  readonly #terms: JudgedTerms;
  readonly #endTime: number;
  readonly #now: number;
  readonly #maxEvents: number;
  readonly #events: BacktestEvent[] = [];
  /** One for all readings: a judgement keeps nothing of it but the values. */
  readonly #reading: { at: number; value: Value } = { at: 0, value: 0 };
  #watch: Watch = CLEAR;
  #readingCount = 0;
  #eventCount = 0;
  #triggeredMs = 0;
  #raisedAt: number | undefined;

  constructor(terms: JudgedTerms, limits: BacktestLimits) {
    this.#terms = terms;
    this.#endTime = limits.endTime;
    this.#now = limits.now;
    this.#maxEvents = limits.maxEvents;
  }

  get readingCount(): number {
    return this.#readingCount;
  }

  add(at: number, value: Value): void {
    this.#readingCount += 1;
    this.#reading.at = at;
    this.#reading.value = value;
    this.#take(judge(this.#watch, this.#terms, this.#reading, at));
  }

  /** The result once all readings have come. */
  finish(): BacktestResult {
    // Readings may be a little ahead of the clock.
    const end = Math.min(this.#endTime, Math.max(this.#now, this.#reading.at));
    this.#take(judgeByClock(this.#watch, this.#terms, end, ALWAYS_READY));
    const open = this.#raisedAt === undefined ? 0 : end - this.#raisedAt;
    return {
      readingCount: this.#readingCount,
      eventCount: this.#eventCount,
      triggeredMs: this.#triggeredMs + open,
      events: this.#events,
    };
  }

  #take(judgement: Judgement | null): void {
    if (judgement === null) return;
    this.#watch = judgement.watch;
    for (const transition of judgement.transitions) this.#note(transition);
  }

  #note({ kind, at, value }: Transition): void {
    if (kind === 'RAISED') {
      this.#raisedAt = at;
      this.#eventCount += 1;
      if (this.#eventCount > this.#maxEvents) return;
      this.#events.push({ raisedAt: at, raisedValue: value, clearedAt: null, clearedValue: null });
      return;
    }
    this.#triggeredMs += at - (this.#raisedAt ?? at);
    this.#raisedAt = undefined;
    const last = this.#events.at(-1);
    if (!last || this.#eventCount > this.#maxEvents) return;
    last.clearedAt = at;
    last.clearedValue = value;
  }
}
