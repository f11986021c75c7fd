import { describe, expect, it } from 'vitest';
import { addressOf, isDue, problemsOf } from './decision.ts';

const WELL = { probeError: null, tickerAgeMs: 0, workerAgeMs: 0 };

describe('the problems of a server', () => {
  it('are none when all three checks hold, up to an age of 10 seconds', () => {
    expect(problemsOf(WELL)).toEqual([]);
    expect(problemsOf({ ...WELL, tickerAgeMs: 9_999, workerAgeMs: 10_000 })).toEqual([]);
  });

  it.each([
    [{ tickerAgeMs: 10_001 }, 'alarms were not judged by time for 10 s'],
    [{ workerAgeMs: 10_001 }, 'notifications were not processed for 10 s'],
    [{ probeError: 'it took 5 s' }, 'a synthetic reading was not stored: it took 5 s'],
  ])('name what %j means', (vitals, problem) => {
    expect(problemsOf({ ...WELL, ...vitals })).toEqual([problem]);
  });

  it('are all named together', () => {
    expect(problemsOf({ probeError: 'x', tickerAgeMs: 1e6, workerAgeMs: 1e6 })).toHaveLength(3);
  });
});

describe('a heartbeat', () => {
  const planned = { nextAt: 100_000, everySeconds: 30 };

  it.each([
    [99_999, false],
    [100_000, true],
    [100_001, true],
  ])('that is planned for 100000 is due at %i: %s', (now, due) => {
    expect(isDue(planned, now)).toBe(due);
  });

  it('is due when the clock was set back by more than its interval', () => {
    expect(isDue(planned, 70_000)).toBe(false);
    expect(isDue(planned, 69_999)).toBe(true);
  });

  it.each([
    ['HEALTHCHECKS', 'https://hc-ping.com/a', 'https://hc-ping.com/a/fail'],
    [
      'HEALTHCHECKS',
      'https://hc.example/ping/key/slug?create=1',
      'https://hc.example/ping/key/slug/fail?create=1',
    ],
    [
      'BETTER_STACK',
      'https://uptime.betterstack.com/api/v1/heartbeat/a/',
      'https://uptime.betterstack.com/api/v1/heartbeat/a/fail',
    ],
    [
      'UPTIME_KUMA',
      'https://kuma.example/api/push/a?status=up&msg=OK&ping=',
      'https://kuma.example/api/push/a?status=down&msg=Fieldwatch+is+not+well&ping=',
    ],
    ['DEAD_MANS_SNITCH', 'https://nosnch.in/a', null],
    ['OTHER', 'https://example.com/a', null],
  ] as const)('of %s at %s calls %s when the server is not well', (kind, url, failure) => {
    expect(addressOf({ kind, url }, false)).toBe(failure);
    expect(addressOf({ kind, url }, true)).toBe(url);
  });
});
