import type { Kind } from './columns.ts';
import type { Reading, Value } from './reading.ts';

/** What is remembered of a reading: its Variable by number alone. */
export interface JournalReading {
  readonly number: number;
  readonly kind: Kind;
  /** Kept as history, not only as the latest value. */
  readonly isHistory: boolean;
  readonly at: number;
  readonly value: Value;
}

/** What the journal keeps of a reading. Fails for what no chunk or table could hold later. */
export function journalReading({ variable, at, value }: Reading): JournalReading {
  if (!Number.isSafeInteger(at)) throw new RangeError(`The time ${at} is not a whole number.`);
  const isStorable =
    variable.type === 'STRING'
      ? typeof value === 'string' && !value.includes('\0')
      : variable.type === 'NUMBER'
        ? Number.isFinite(value)
        : typeof value === 'boolean';
  if (!isStorable) throw new RangeError(`The value is no ${variable.type} that can be stored.`);
  return {
    number: variable.number,
    kind: variable.type,
    isHistory: variable.isLoggingEnabled,
    at,
    value,
  };
}
