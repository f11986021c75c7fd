import type { Reading } from '../readings/index.ts';
import type { DeviceEntry } from '../variables/index.ts';
import { matchType } from './decode-value.ts';
import type { RejectedSample, Sample } from './decode-walk.ts';

/** What the Variables of a Device make of samples. */
export interface Matched {
  readonly readings: readonly Reading[];
  readonly rejected: readonly RejectedSample[];
  /** The rejected ones that no Variable has the path of. */
  readonly unmatched: readonly Sample[];
}

/** Each sample goes to the Variable of exactly its path, if that takes values of its type. */
export function match({ variables }: DeviceEntry, samples: readonly Sample[]): Matched {
  const readings: Reading[] = [];
  const rejected: RejectedSample[] = [];
  const unmatched: Sample[] = [];
  for (const sample of samples) {
    const variable = variables.get(sample.path);
    const value = variable && matchType(variable.type, sample.value);
    if (variable === undefined) {
      unmatched.push(sample);
      rejected.push({ key: sample.path, reason: 'unknownPath' });
    } else if (value === undefined) {
      rejected.push({ key: sample.path, reason: 'wrongType' });
    } else {
      readings.push({ variable, at: sample.at, value });
    }
  }
  return { readings, rejected, unmatched };
}
