import { describe, expect, it, vi } from 'vitest';
import { createValues } from './values.ts';

describe('the newest values', () => {
  it('are told to who listens to that Variable, and to nobody else', () => {
    const values = createValues();
    const own = vi.fn();
    const other = vi.fn();
    values.subscribe('a', own);
    values.subscribe('b', other);
    values.offer('a', { timestamp: 1, value: 5 });
    expect([own.mock.calls.length, other.mock.calls.length]).toEqual([1, 0]);
    expect(values.read('a')).toEqual({ timestamp: 1, value: 5 });
  });

  it('are not replaced by older ones, nor told of twice', () => {
    const values = createValues();
    const told = vi.fn();
    values.subscribe('a', told);
    values.offer('a', { timestamp: 2, value: 5 });
    values.offer('a', { timestamp: 1, value: 4 });
    values.offer('a', { timestamp: 2, value: 5 });
    expect(told).toHaveBeenCalledTimes(1);
    values.offer('a', { timestamp: 2, value: 6 });
    expect(values.read('a')?.value).toBe(6);
  });

  it('are no longer told to who has left', () => {
    const values = createValues();
    const told = vi.fn();
    values.subscribe('a', told)();
    values.offer('a', { timestamp: 1, value: 1 });
    expect(told).not.toHaveBeenCalled();
  });
});
