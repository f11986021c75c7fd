import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type LevelPoint, timeToEmpty } from './time-to-empty.ts';

const NOW = Date.UTC(2026, 10, 17, 4);
const MINUTE_MS = 60_000;
const HOUR_MS = 60 * MINUTE_MS;
const STEP_MS = 15 * MINUTE_MS;

/** A level every quarter of an hour, the last one now. */
function course(count: number, levelAt: (hoursAgo: number) => number): LevelPoint[] {
  return Array.from({ length: count }, (_, index) => {
    const ageMs = (count - 1 - index) * STEP_MS;
    return { atMs: NOW - ageMs, level: levelAt(ageMs / HOUR_MS) };
  });
}

const level = fc.double({ min: 1, max: 100, noNaN: true });
const rate = fc.double({ min: 2, max: 20, noNaN: true });

describe('the time until a tank is empty', () => {
  it('is the level by its rate, for any steady fall', () => {
    fc.assert(
      fc.property(level, rate, fc.integer({ min: 4, max: 96 }), (now, perHour, count) => {
        const found = timeToEmpty(
          course(count, (hoursAgo) => now + perHour * hoursAgo),
          NOW,
        );
        expect(found).toBeCloseTo((now / perHour) * HOUR_MS, -2);
      }),
    );
  });

  it('follows the fall and not the noise of the sensor', () => {
    const noise = fc.array(fc.double({ min: -0.4, max: 0.4, noNaN: true }), {
      minLength: 9,
      maxLength: 9,
    });
    fc.assert(
      fc.property(noise, (errors) => {
        const points = course(9, (hoursAgo) => 40 + 8 * hoursAgo);
        const noisy = points.map(({ atMs, level: exact }, index) => ({
          atMs,
          level: exact + (errors[index] ?? 0),
        }));
        const hours = (timeToEmpty(noisy, NOW) ?? 0) / HOUR_MS;
        expect(hours).toBeGreaterThan(4);
        expect(hours).toBeLessThan(6);
      }),
    );
  });

  it('is unknown while the level rises or stays', () => {
    fc.assert(
      fc.property(level, fc.double({ min: 0, max: 50, noNaN: true }), (start, perHour) => {
        expect(
          timeToEmpty(
            course(20, (hoursAgo) => start - perHour * hoursAgo),
            NOW,
          ),
        ).toBeNull();
      }),
    );
  });

  it('is unknown once the fall has ended, however steep it was', () => {
    const stopped = course(9, (hoursAgo) => (hoursAgo > 1 ? 40 + 10 * (hoursAgo - 1) : 40));
    expect(timeToEmpty(stopped, NOW)).toBeNull();
  });

  it('counts from the last time that the tank was filled', () => {
    const filled = course(9, (hoursAgo) => (hoursAgo > 1.2 ? 20 + hoursAgo : 80 + 10 * hoursAgo));
    expect(timeToEmpty(filled, NOW)).toBeCloseTo(8 * HOUR_MS, -2);
  });

  it('is unknown of too few points, too short a time or old values', () => {
    const falling = (count: number) => course(count, (hoursAgo) => 50 + 10 * hoursAgo);
    expect(timeToEmpty(falling(3), NOW)).toBeNull();
    expect(timeToEmpty(falling(4), NOW)).not.toBeNull();
    expect(timeToEmpty(falling(9), NOW + 40 * MINUTE_MS)).not.toBeNull();
    expect(timeToEmpty(falling(9), NOW + 41 * MINUTE_MS)).toBeNull();
    expect(timeToEmpty([], NOW)).toBeNull();
  });

  it('is unknown beyond ten days', () => {
    const lasting = (hours: number) => course(9, (hoursAgo) => 90 + (90 / hours) * hoursAgo);
    expect(timeToEmpty(lasting(239), NOW)).not.toBeNull();
    expect(timeToEmpty(lasting(241), NOW)).toBeNull();
  });

  it('is never negative or infinite, whatever the levels', () => {
    const points = fc.array(
      fc.record({
        atMs: fc.integer({ min: NOW - 3 * HOUR_MS, max: NOW }),
        level: fc.double({ min: -1_000, max: 1_000, noNaN: true }),
      }),
      { maxLength: 40 },
    );
    fc.assert(
      fc.property(points, (given) => {
        const found = timeToEmpty(
          given.toSorted((a, b) => a.atMs - b.atMs),
          NOW,
        );
        if (found === null) return;
        expect(found).toBeGreaterThanOrEqual(0);
        expect(Number.isFinite(found)).toBe(true);
      }),
    );
  });
});
