/** The harness's own record of readings: what was sent, and what the server acknowledged. */
export type Value = number | boolean | string;

export interface StoredReading {
  readonly timestamp: number;
  readonly value: Value;
}

/** What is wrong with a series, in words. */
export interface SeriesFaults {
  readonly lost: string[];
  readonly wrong: string[];
  readonly doubled: string[];
  readonly invented: string[];
}

export const noFaults = (): SeriesFaults => ({ lost: [], wrong: [], doubled: [], invented: [] });

interface Written {
  /** The last value that was acknowledged. */
  acknowledged: Value | undefined;
  /** Values sent since then, which may be there or not. */
  readonly possible: Value[];
}

/** A Variable whose readings carry their time. The last write of a time wins. */
export class TimedSeries {
  readonly variableId: string;
  readonly #times = new Map<number, Written>();
  acknowledgedCount = 0;

  constructor(variableId: string) {
    this.variableId = variableId;
  }

  sent(timestamp: number, value: Value): void {
    const written = this.#times.get(timestamp) ?? { acknowledged: undefined, possible: [] };
    written.possible.push(value);
    this.#times.set(timestamp, written);
  }

  acknowledged(timestamp: number, value: Value): void {
    const written = this.#times.get(timestamp);
    if (!written) throw new Error('acknowledged before it was sent');
    this.acknowledgedCount += 1;
    written.acknowledged = value;
    written.possible.length = 0;
  }

  check(stored: readonly StoredReading[], faults: SeriesFaults): void {
    const found = new Map<number, Value>();
    for (const { timestamp, value } of stored) {
      const name = `${this.variableId} at ${timestamp}`;
      if (found.has(timestamp)) faults.doubled.push(name);
      found.set(timestamp, value);
      if (!this.#times.has(timestamp)) faults.invented.push(`${name}: ${value}`);
    }
    for (const [timestamp, { acknowledged, possible }] of this.#times) {
      const value = found.get(timestamp);
      const name = `${this.variableId} at ${timestamp}`;
      if (value === undefined) {
        if (acknowledged !== undefined) faults.lost.push(`${name}: ${acknowledged}`);
      } else if (value !== acknowledged && !possible.includes(value)) {
        faults.wrong.push(`${name}: ${value} in place of ${acknowledged ?? possible.join('/')}`);
      }
    }
  }
}

interface Arrived {
  /** How often it was sent: once, and again after each lost connection. */
  sends: number;
  /** The place of its last sending among all. */
  order: number;
  isAcknowledged: boolean;
}

/** A Variable whose readings carry no time: each message is a reading, in the order of arrival. */
export class ArrivalSeries {
  readonly variableId: string;
  readonly #values = new Map<number, Arrived>();
  #sends = 0;
  acknowledgedCount = 0;

  constructor(variableId: string) {
    this.variableId = variableId;
  }

  sent(value: number): void {
    this.#sends += 1;
    const { sends, isAcknowledged } = this.#values.get(value) ?? {
      sends: 0,
      isAcknowledged: false,
    };
    this.#values.set(value, { sends: sends + 1, order: this.#sends, isAcknowledged });
  }

  acknowledged(value: number): void {
    const arrived = this.#values.get(value);
    if (!arrived) throw new Error('acknowledged before it was sent');
    this.acknowledgedCount += 1;
    arrived.isAcknowledged = true;
  }

  check(stored: readonly StoredReading[], faults: SeriesFaults): void {
    const counts = new Map<Value, number>();
    for (const { value } of stored) counts.set(value, (counts.get(value) ?? 0) + 1);
    let last = Number.NEGATIVE_INFINITY;
    for (const { timestamp, value } of stored) {
      const name = `${this.variableId}: ${value} at ${timestamp}`;
      const arrived = typeof value === 'number' ? this.#values.get(value) : undefined;
      if (!arrived) faults.invented.push(name);
      // One that was sent again may lie behind what followed its first sending.
      else if (arrived.sends === 1 && counts.get(value) === 1) {
        if (arrived.order < last) faults.wrong.push(`${name}, which is out of order`);
        last = Math.max(last, arrived.order);
      }
    }
    for (const [value, { sends, isAcknowledged }] of this.#values) {
      const count = counts.get(value) ?? 0;
      if (count === 0 && isAcknowledged) faults.lost.push(`${this.variableId}: ${value}`);
      if (count > sends) faults.doubled.push(`${this.variableId}: ${value}, ${count} times`);
    }
  }
}

export type Series = TimedSeries | ArrivalSeries;
