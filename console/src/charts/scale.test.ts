import { describe, expect, it } from 'vitest';
import { type Limits, valueRange } from './scale.ts';

const free: Limits = { bounds: {}, leftBounds: {}, isFromZero: false };
const lines = [{ unit: 'bar' }, { unit: 'kW' }];
const scaled = (limits: Partial<Limits>, min: number | null, max: number | null, more = {}) => {
  const {
    unit = 'bar',
    isLogarithmic = false,
    thresholds = [],
  } = more as {
    unit?: string;
    isLogarithmic?: boolean;
    thresholds?: { value: number; label: string; unit: string }[];
  };
  const made = { lines, isDraggable: false, isLogarithmic };
  const range = valueRange(unit, made, () => ({ thresholds, limits: { ...free, ...limits } }));
  return range(undefined as never, min as number, max as number, unit);
};

describe('a value axis', () => {
  it('starts at zero where that is chosen, also for negative values', () => {
    expect(scaled({ isFromZero: true }, 40, 50)[0]).toBe(0);
    expect(scaled({}, 40, 50)[0]).toBeGreaterThan(30);
    expect(scaled({ isFromZero: true }, -9, -4)[1]).toBe(0);
  });

  it('has the fixed limits of the left axis, and only there', () => {
    const leftBounds = { min: 2, max: 6 };
    expect(scaled({ leftBounds }, 3, 4)).toEqual([2, 6]);
    expect(scaled({ leftBounds }, 300, 400, { unit: 'kW' })[0]).toBeGreaterThan(6);
    expect(scaled({ bounds: { min: 1 }, leftBounds: { max: 9 } }, 3, 4)).toEqual([1, 9]);
  });

  it.each([
    [Number.MAX_VALUE, Number.MAX_VALUE],
    [-Number.MAX_VALUE, Number.MAX_VALUE],
    [-Number.MAX_VALUE, 0],
  ])('has a width that is a number for values from %d to %d', (min, max) => {
    for (const isLogarithmic of [false, true]) {
      const [low, high] = scaled({}, min, max, { isLogarithmic });
      expect(Number(high) - Number(low)).toBeGreaterThan(0);
      expect(Number(high) - Number(low)).toBeLessThan(Number.POSITIVE_INFINITY);
    }
  });

  it('ignores limits in the wrong order', () => {
    const [low, high] = scaled({ leftBounds: { min: 9, max: 1 } }, 3, 4);
    expect(low).toBeLessThan(3);
    expect(high).toBeGreaterThan(4);
  });

  it('has whole powers of ten and no limit of zero or less, where it is logarithmic', () => {
    const more = { isLogarithmic: true };
    expect(scaled({}, 0.3, 420, more)).toEqual([0.1, 1000]);
    expect(scaled({}, 10, 10, more)).toEqual([10, 100]);
    expect(scaled({}, null, null, more)).toEqual([1, 10]);
    expect(scaled({ leftBounds: { min: 0 } }, 3, 4, more)).toEqual([1, 10]);
  });

  it('includes a threshold near the values, and not one below zero on a logarithmic scale', () => {
    const thresholds = [{ value: 5, label: 'High', unit: 'bar' }];
    expect(scaled({}, 3, 4, { thresholds })[1]).toBeGreaterThanOrEqual(5);
    const below = [{ value: -1, label: 'Low', unit: 'bar' }];
    expect(scaled({}, 3, 4, { thresholds: below, isLogarithmic: true })).toEqual([1, 10]);
  });
});
