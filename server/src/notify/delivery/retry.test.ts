import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { failuresAfter, type Outcome, resultOf } from './outcome.ts';
import {
  circuitOpenUntil,
  FAILURES_TO_OPEN_CIRCUIT,
  MAX_REQUESTED_PAUSE_MS,
  maxBackoffMs,
  maxConcurrentDeliveries,
  nextAttemptAt,
  RETRY_TIMEOUT_MS,
  requestedPauseMs,
} from './retry.ts';

const NOW = 1_800_000_000_000;
const HOUR_MS = 3_600_000;
const almostOne = 1 - Number.EPSILON;

describe('a failed attempt', () => {
  it.each([
    [1, 10_000],
    [2, 30_000],
    [3, 90_000],
    [4, 270_000],
    [5, 810_000],
    [6, 2_430_000],
    [7, 7_290_000],
    [8, 6 * HOUR_MS],
    [9, 6 * HOUR_MS],
    [1_000, 6 * HOUR_MS],
  ])('number %i is followed by a pause of anything up to %i ms', (attempts, ceilingMs) => {
    const delivery = { attempts, startedAt: NOW };
    expect(maxBackoffMs(attempts)).toBe(ceilingMs);
    expect(nextAttemptAt(delivery, NOW, 0)).toBe(NOW);
    expect(nextAttemptAt(delivery, NOW, 0.5)).toBe(NOW + ceilingMs / 2);
    expect(nextAttemptAt(delivery, NOW, almostOne)).toBe(NOW + ceilingMs);
  });

  it('is the last when the next would come after three days', () => {
    const delivery = { attempts: 1, startedAt: NOW };
    const end = NOW + RETRY_TIMEOUT_MS;
    expect(RETRY_TIMEOUT_MS).toBe(72 * HOUR_MS);
    expect(nextAttemptAt(delivery, end - 10_000, almostOne)).toBe(end);
    expect(nextAttemptAt(delivery, end - 9_999, almostOne)).toBe(null);
    expect(nextAttemptAt(delivery, end + 1, 0)).toBe(null);
  });

  it('ends after three days and not after a few attempts, whatever the jitter', () => {
    fc.assert(
      fc.property(
        fc.infiniteStream(fc.double({ min: 0, max: almostOne, noNaN: true })),
        (chance) => {
          let now = NOW;
          let attempts = 0;
          for (const random of chance) {
            attempts += 1;
            const next = nextAttemptAt({ attempts, startedAt: NOW }, now, random);
            if (next === null || attempts > 200) break;
            expect(next).toBeGreaterThanOrEqual(now);
            now = next;
          }
          expect(attempts).toBeGreaterThan(15);
          expect(now).toBeLessThanOrEqual(NOW + RETRY_TIMEOUT_MS);
        },
      ),
    );
  });
});

describe('a target', () => {
  it.each([
    [0, null],
    [FAILURES_TO_OPEN_CIRCUIT - 1, null],
    [FAILURES_TO_OPEN_CIRCUIT, 30_000],
    [FAILURES_TO_OPEN_CIRCUIT + 1, 60_000],
    [FAILURES_TO_OPEN_CIRCUIT + 4, 480_000],
    [FAILURES_TO_OPEN_CIRCUIT + 5, 900_000],
    [FAILURES_TO_OPEN_CIRCUIT + 500, 900_000],
  ])('after %i failures opens the circuit for %s ms', (failures, openMs) => {
    expect(circuitOpenUntil(failures, NOW)).toBe(openMs === null ? null : NOW + openMs);
  });

  it.each([
    [FAILURES_TO_OPEN_CIRCUIT - 1, 4],
    [FAILURES_TO_OPEN_CIRCUIT, 1],
    [FAILURES_TO_OPEN_CIRCUIT + 1, 1],
  ])('after %i failures gets %i at once', (failures, atOnce) => {
    expect(maxConcurrentDeliveries(failures, 4)).toBe(atOnce);
  });
});

describe('an outcome', () => {
  const failed: Outcome = {
    status: 500,
    error: 'no',
    durationMs: 1,
    isFinal: false,
    isOurs: false,
  };
  const arrived: Outcome = { ...failed, status: 200, error: null };
  const ours: Outcome = { ...failed, status: null, isFinal: true, isOurs: true };
  const delivery = { attempts: 0, startedAt: NOW };
  const at = { now: NOW, random: 0.5 };

  it('ends a delivery that arrived or cannot, and puts off the others', () => {
    expect(resultOf(delivery, arrived, at)).toEqual({ state: 'DELIVERED', nextAt: null });
    expect(resultOf(delivery, failed, at)).toEqual({ state: 'PENDING', nextAt: NOW + 5_000 });
    expect(resultOf(delivery, { ...failed, isFinal: true }, at).state).toBe('FAILED');
    const late = { ...at, now: NOW + RETRY_TIMEOUT_MS };
    expect(resultOf(delivery, failed, late).state).toBe('FAILED');
  });

  it('counts against its target only when something was sent there', () => {
    expect(failuresAfter(3, [failed, failed])).toBe(5);
    expect(failuresAfter(3, [failed, arrived])).toBe(0);
    expect(failuresAfter(3, [ours])).toBe(3);
    expect(failuresAfter(3, [])).toBe(3);
  });
});

describe('a target that requests a pause', () => {
  it.each([
    ['0', 0],
    ['1', 1_000],
    [' 120 ', 120_000],
    ['3599', MAX_REQUESTED_PAUSE_MS - 1_000],
    ['3600', MAX_REQUESTED_PAUSE_MS],
    ['3601', MAX_REQUESTED_PAUSE_MS],
    ['9'.repeat(400), MAX_REQUESTED_PAUSE_MS],
    [new Date(NOW + 90_000).toUTCString(), 90_000],
    [new Date(NOW - 90_000).toUTCString(), 0],
    [new Date(NOW + 100 * HOUR_MS).toUTCString(), MAX_REQUESTED_PAUSE_MS],
  ])('with %j gets it, as far as an hour', (header, pauseMs) => {
    expect(requestedPauseMs(header, NOW)).toBe(pauseMs);
  });

  it.each([null, '', '-1', '1.5', '1e3', 'soon', '2027-01-15T08:00:00Z'])(
    'with %j gets none, since it cannot be read',
    (header) => {
      expect(requestedPauseMs(header, NOW)).toBe(0);
    },
  );

  it('is not tried earlier, nor later than three days', () => {
    const delivery = { attempts: 1, startedAt: NOW, requestedPauseMs: 60_000 };
    expect(nextAttemptAt(delivery, NOW, 0)).toBe(NOW + 60_000);
    expect(nextAttemptAt({ ...delivery, attempts: 4 }, NOW, almostOne)).toBe(NOW + 270_000);
    const end = NOW + RETRY_TIMEOUT_MS;
    expect(nextAttemptAt(delivery, end - 60_000, 0)).toBe(end);
    expect(nextAttemptAt(delivery, end - 59_999, 0)).toBe(null);
  });

  it('has its circuit open for the longer of the requested pause and that of its failures', () => {
    expect(circuitOpenUntil(0, NOW, 0)).toBe(null);
    expect(circuitOpenUntil(1, NOW, 60_000)).toBe(NOW + 60_000);
    expect(circuitOpenUntil(FAILURES_TO_OPEN_CIRCUIT, NOW, 10_000)).toBe(NOW + 30_000);
    expect(circuitOpenUntil(FAILURES_TO_OPEN_CIRCUIT, NOW, 60_000)).toBe(NOW + 60_000);
  });
});
