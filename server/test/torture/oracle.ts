/**
 * Alarm judgement written a second time, from the documents alone. It works on sets: where it cannot be
 * known which of two things came first, both histories are kept, and the server must have one of them.
 */
export type Value = number | boolean | string;

export interface Terms {
  readonly operator: string;
  readonly threshold: Value;
  readonly holdMs: number;
  readonly clearDelayMs: number;
  readonly deadband: number;
}

/** A moment that is known to lie within these two, both included. */
export type Moment = readonly [from: number, to: number];

export interface ExpectedEvent {
  readonly raised: Moment;
  readonly raisedValue: Value;
  /** When the reading that raised it was sent and acknowledged; null when the clock raised it. */
  readonly raisedWithin: Moment | null;
  readonly cleared: {
    readonly at: Moment;
    readonly value: Value;
    readonly within: Moment | null;
  } | null;
}

export interface Judged {
  /** The time that it states. */
  readonly stated: number;
  /** When it came by the server's clock; several when that was set about then. */
  readonly arrivals: readonly Moment[];
  readonly value: Value;
  /** When it was sent and acknowledged, by the harness's clock. */
  readonly within: Moment;
  /** What the clock had done, before this reading, to what had begun. */
  readonly clock: (begun: Begun, delayMs: number) => 'ended' | 'waited' | 'either';
}

/** A reading with the time at which it is judged. */
interface Timed extends Judged {
  readonly at: Moment;
}

/** Reading time; for a reading ahead of the clock the time at which it came. */
function judgedAt(stated: number, [first, last]: Moment): Moment {
  return stated > first ? [first, Math.min(stated, last)] : [stated, stated];
}

/** A reading that began a hold or a clearing. */
export interface Begun {
  readonly at: Moment;
  readonly value: Value;
  readonly within: Moment;
}

interface History {
  readonly events: readonly ExpectedEvent[];
  /** What has begun and is not decided: a hold, or a clearing. */
  readonly begun: Begun | null;
  readonly isOpen: boolean;
  /** The time of the newest judgement. */
  readonly newest: number;
}

const MAX_HISTORIES = 256;
/** After a clock was set back, readings that were measured so long before are judged. */
const DELIVERY_MS = 30_000;
const NEVER = Number.NEGATIVE_INFINITY;

const HOLDS: Readonly<Record<string, (value: Value, threshold: Value) => boolean>> = {
  LESS_THAN: (value, threshold) => value < threshold,
  LESS_THAN_OR_EQUAL: (value, threshold) => value <= threshold,
  GREATER_THAN: (value, threshold) => value > threshold,
  GREATER_THAN_OR_EQUAL: (value, threshold) => value >= threshold,
  EQUAL: (value, threshold) => value === threshold,
  NOT_EQUAL: (value, threshold) => value !== threshold,
};

export class AlarmOracle {
  readonly #terms: Terms;
  #histories: readonly History[] = [{ events: [], begun: null, isOpen: false, newest: NEVER }];
  /** How often it could not be known what came first. */
  races = 0;

  constructor(terms: Terms) {
    this.#terms = terms;
  }

  get histories(): readonly (readonly ExpectedEvent[])[] {
    return this.#histories.map(({ events }) => inTime(events));
  }

  /** Readings come here in the order in which they were acknowledged. */
  reading(reading: Judged): void {
    const before = this.#histories.length;
    this.#histories = distinct(
      this.#histories.flatMap((history) => this.#inOrder(history, reading)),
    );
    if (this.#histories.length > before) this.races += 1;
    if (this.#histories.length > MAX_HISTORIES) throw new Error('too many races for one Alarm');
  }

  /** Nothing is open or pending: what was recorded shows how the races went. */
  learn(recorded: readonly RecordedEvent[]): void {
    const own = this.#histories.filter(({ events }) => isSameHistory(inTime(events), recorded));
    // Without any the difference is found in the end; until then one stands for all.
    this.#histories = own.length > 0 ? own : this.#histories.slice(0, 1);
  }

  /** Nothing more comes, and the clock has had all the time it needs. */
  end(): void {
    this.#histories = this.#histories.map((history) =>
      history.begun ? this.#turn(history, history.begun, null) : history,
    );
  }

  #inOrder(history: History, reading: Judged): History[] {
    return reading.arrivals.flatMap((arrived) => this.#arrived(history, reading, arrived));
  }

  /** What is older than the newest judgement is not judged, unless its time is ahead of the clock. */
  #arrived(history: History, reading: Judged, arrived: Moment): History[] {
    const { stated } = reading;
    // Nothing was judged in the future: the clock was set back since.
    const newest = history.newest > arrived[1] ? arrived[1] - DELIVERY_MS : history.newest;
    if (stated <= arrived[0] && stated < newest) return [history];
    const at = judgedAt(stated, arrived);
    return this.#after({ ...history, newest: at[0] }, { ...reading, at });
  }

  #after(history: History, reading: Timed): History[] {
    const { begun } = history;
    if (begun === null) return [this.#judge(history, reading)];
    const delay = this.#delay(history);
    const isStill = this.#signal(history, reading.value) !== history.isOpen;
    const isPast = (at: number, end: number) => (isStill ? at >= end : at > end);
    const ended = this.#judge(this.#turn(history, begun, null), reading);
    if (isPast(reading.at[0], begun.at[1] + delay)) return [ended];
    const isMaybePast = isPast(reading.at[1], begun.at[0] + delay);
    if (isStill) return isMaybePast ? [history, ended] : [history];
    const waited = this.#judge({ ...history, begun: null }, reading);
    if (isMaybePast) return [waited, ended];
    const clock = reading.clock(begun, delay);
    if (clock === 'either') return [waited, ended];
    return [clock === 'ended' ? ended : waited];
  }

  #judge(history: History, { at, value, within }: Timed): History {
    if (this.#signal(history, value) === history.isOpen) return { ...history, begun: null };
    const begun = { at, value, within };
    if (this.#delay(history) > 0) return { ...history, begun: history.begun ?? begun };
    return this.#turn(history, begun, within);
  }

  #delay({ isOpen }: History): number {
    return isOpen ? this.#terms.clearDelayMs : this.#terms.holdMs;
  }

  #signal({ isOpen }: History, value: Value): boolean {
    const { operator, threshold, deadband } = this.#terms;
    if (!isOpen || typeof threshold !== 'number')
      return HOLDS[operator]?.(value, threshold) ?? false;
    const edge = operator.startsWith('GREATER') ? threshold - deadband : threshold + deadband;
    return HOLDS[operator]?.(value, deadband === 0 ? threshold : edge) ?? false;
  }

  /** Raises or clears. `within` is null when the clock may have done it. */
  #turn(history: History, begun: Begun, within: Moment | null): History {
    const delay = this.#delay(history);
    const at: Moment = [begun.at[0] + delay, begun.at[1] + delay];
    const last = history.events.at(-1);
    if (!history.isOpen) {
      const raised = { raised: at, raisedValue: begun.value, raisedWithin: within, cleared: null };
      return { ...history, events: [...history.events, raised], begun: null, isOpen: true };
    }
    if (!last) throw new Error('an open history has an event');
    const from = Math.max(at[0], last.raised[0]);
    const cleared = {
      ...last,
      cleared: {
        at: [from, Math.max(at[1], last.raised[1])] as Moment,
        value: begun.value,
        within,
      },
    };
    const events = [...history.events.slice(0, -1), cleared];
    return { ...history, events, begun: null, isOpen: false };
  }
}

function inTime(events: readonly ExpectedEvent[]): readonly ExpectedEvent[] {
  return events.toSorted((one, other) => one.raised[0] - other.raised[0]);
}

function distinct(histories: readonly History[]): readonly History[] {
  if (histories.length === 1) return histories;
  return [...new Map(histories.map((history) => [JSON.stringify(history), history])).values()];
}

/** An event as the server's history shows it. */
export interface RecordedEvent {
  readonly id: string;
  readonly raisedAt: number;
  readonly raisedValue: Value;
  readonly clearedAt: number | null;
  readonly clearedValue: Value | null;
  readonly clearedReason: string | null;
}

const isIn = (at: number, [from, to]: Moment) => at >= from && at <= to;

export function isSameEvent(expected: ExpectedEvent, recorded: RecordedEvent): boolean {
  const { cleared } = expected;
  if (!isIn(recorded.raisedAt, expected.raised)) return false;
  if (recorded.raisedValue !== expected.raisedValue) return false;
  if (cleared === null || recorded.clearedAt === null) {
    return cleared === null && recorded.clearedAt === null;
  }
  return (
    isIn(recorded.clearedAt, cleared.at) &&
    recorded.clearedValue === cleared.value &&
    recorded.clearedReason === 'RECOVERED'
  );
}

/**
 * The recorded event of each expected one; null where the histories differ. Events are compared without
 * regard to their order: one that is known to lie within a span may come before or after another in it.
 */
export function pairedWith(
  expected: readonly ExpectedEvent[],
  recorded: readonly RecordedEvent[],
): readonly RecordedEvent[] | null {
  if (expected.length !== recorded.length) return null;
  const pairs = new Map<ExpectedEvent, RecordedEvent>();
  const owners = new Map<RecordedEvent, ExpectedEvent>();
  // One that finds its events taken asks their owners for another one: a matching of a bipartite graph.
  const pair = (event: ExpectedEvent, asked: Set<RecordedEvent>): boolean =>
    recorded.some((own) => {
      if (asked.has(own) || !isSameEvent(event, own)) return false;
      asked.add(own);
      const owner = owners.get(own);
      if (owner && !pair(owner, asked)) return false;
      owners.set(own, event);
      pairs.set(event, own);
      return true;
    });
  if (!expected.every((event) => pair(event, new Set()))) return null;
  return expected.flatMap((event) => pairs.get(event) ?? []);
}

export function isSameHistory(
  expected: readonly ExpectedEvent[],
  recorded: readonly RecordedEvent[],
): boolean {
  return pairedWith(expected, recorded) !== null;
}
