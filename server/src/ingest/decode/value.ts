import type { VariableType } from '@fieldwatch/contract';
import { isWithin } from './text.ts';

/** What a reading may carry: a finite number, a boolean, or a text of limited length. */
export type Value = string | number | boolean;

/** In code points. */
export const MAX_STRING_LENGTH = 4096;

export function isValue(value: unknown): value is Value {
  if (typeof value === 'number') return Number.isFinite(value);
  if (typeof value === 'string') return isWithin(value, MAX_STRING_LENGTH);
  return typeof value === 'boolean';
}

/** The value as a Variable of this type takes it; undefined when it does not. */
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
