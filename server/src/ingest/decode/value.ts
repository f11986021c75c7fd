import type { VariableType } from '@fieldwatch/contract';
import { isWithin } from './text.ts';

/** The value of a reading: a finite number, a boolean, or a text of limited length. */
export type Value = string | number | boolean;

/** The limit in code points. */
export const MAX_STRING_LENGTH = 4096;

export function isValue(value: unknown): value is Value {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return isWithin(value, MAX_STRING_LENGTH);
  return typeof value === 'boolean';
}

/** The value converted to the type of a Variable; undefined when it has another type. */
export function matchType(type: VariableType, value: Value): Value | undefined {
  if (type === 'NUMBER') {
    return typeof value === 'number' && Number.isFinite(value) ? value : undefined;
  }
  if (type === 'STRING') {
    return typeof value === 'string' && isWithin(value, MAX_STRING_LENGTH) ? value : undefined;
  }
  if (typeof value === 'boolean') return value;
  if (value === 1) return true;
  return value === 0 ? false : undefined;
}
