import { describe, expect, it, vi } from 'vitest';
import { createValues } from './values.ts';

describe('live values', () => {
  it('notify the subscribers of their Variable only', () => {
    const values = createValues();
    const own = vi.fn();
    const other = vi.fn();
    values.subscribe('a', own);
    values.subscribe('b', other);
    values.update('a', { timestamp: 1, value: 5 });
    expect([own.mock.calls.length, other.mock.calls.length]).toEqual([1, 0]);
    expect(values.read('a')).toEqual({ timestamp: 1, value: 5 });
  });

  it('ignore older and repeated values', () => {
    const values = createValues();
    const notified = vi.fn();
    values.subscribe('a', notified);
    values.update('a', { timestamp: 2, value: 5 });
    values.update('a', { timestamp: 1, value: 4 });
    values.update('a', { timestamp: 2, value: 5 });
    expect(notified).toHaveBeenCalledTimes(1);
    values.update('a', { timestamp: 2, value: 6 });
    expect(values.read('a')?.value).toBe(6);
  });

  it('do not notify after unsubscribing', () => {
    const values = createValues();
    const notified = vi.fn();
    values.subscribe('a', notified)();
    values.update('a', { timestamp: 1, value: 1 });
    expect(notified).not.toHaveBeenCalled();
  });
});
