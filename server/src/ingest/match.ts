import type { Reading } from '../readings/index.ts';
import type { CachedDevice, CachedVariable } from '../variables/index.ts';
import type { ArrivalTimes } from './arrival-times.ts';
import type { RejectedSample, Sample, Sink } from './decode/index.ts';
import { matchType, NO_TIMESTAMP, type Value } from './decode/index.ts';

const NO_REJECTED: readonly RejectedSample[] = [];
const NO_SAMPLES: readonly Sample[] = [];

/**
 * Matches the samples of a message with the Variables of its Device: each sample belongs to the
 * Variable of exactly its path, if its value has the type of the Variable.
 */
export class Matching implements Sink {
  readonly readings: Reading[] = [];
  /** How many of the readings are stored as history. */
  logged = 0;
  readonly #variables: CachedDevice['variables'];
  readonly #receivedAt: number;
  readonly #arrivals: Pick<ArrivalTimes, 'next'>;
  #last: CachedVariable | undefined;
  /** Once there are more readings than Variables. */
  #made: CachedVariable[] | undefined;
  #rejected: RejectedSample[] | undefined;
  #unmatched: Sample[] | undefined;

  constructor(
    { variables }: Pick<CachedDevice, 'variables'>,
    receivedAt: number,
    arrivals: Pick<ArrivalTimes, 'next'>,
  ) {
    this.#variables = variables;
    this.#receivedAt = receivedAt;
    this.#arrivals = arrivals;
  }

  get rejected(): readonly RejectedSample[] {
    return this.#rejected ?? NO_REJECTED;
  }

  /** The rejected samples whose path belongs to no Variable. */
  get unmatched(): readonly Sample[] {
    return this.#unmatched ?? NO_SAMPLES;
  }

  take(path: string, sampled: Value, stated: number): void {
    const variable = this.#find(path);
    if (variable === undefined) {
      this.#unmatched ??= [];
      const at = stated === NO_TIMESTAMP ? this.#receivedAt : stated;
      this.#unmatched.push({ path, value: sampled, at });
      this.#reject(path, 'unknownPath');
      return;
    }
    const value = matchType(variable.type, sampled);
    if (value === undefined) {
      this.#reject(path, 'wrongType');
      return;
    }
    const receivedAt = this.#receivedAt;
    const at =
      stated === NO_TIMESTAMP ? this.#arrivals.next(variable.seriesId, receivedAt) : stated;
    this.readings.push({ variable, at, value, isAhead: stated > receivedAt });
    if (variable.isLoggingEnabled) this.logged += 1;
  }

  #find(path: string): CachedVariable | undefined {
    if (this.readings.length >= this.#variables.size) this.#made ??= [];
    const variable = this.#variables.get(path, this.#last, this.#made);
    if (variable !== undefined) this.#last = variable;
    return variable;
  }

  #reject(key: string, reason: RejectedSample['reason']): void {
    this.#rejected ??= [];
    this.#rejected.push({ key, reason });
  }
}
