import { afterEach, beforeEach, describe, expect, it, vi } from 'vitest';
import { createAvailabilityLog } from './availability-log.ts';
import { Failure } from './failure.ts';
import { MAX_LINES_PER_MINUTE } from './line-limit.ts';
import { createLog } from './log.ts';

function captured() {
  const lines: string[] = [];
  const log = createLog('info', { write: (line) => void lines.push(line) });
  return { log, lines, parsed: () => lines.map((line) => JSON.parse(line)) };
}

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

describe('the log', () => {
  it('writes direction and control characters of a name as escapes', () => {
    const { log, lines, parsed } = captured();
    log.warn({ name: 'a\u202eb\u009bc' }, 'a name');
    expect(lines[0]).toContain('a\\u202eb\\u009bc');
    expect(lines[0]?.endsWith('}\n')).toBe(true);
    expect(parsed()[0]).toMatchObject({ name: 'a\u202eb\u009bc', msg: 'a name' });
  });

  it('writes an expected failure with its cause and without a stack', () => {
    const { log, lines, parsed } = captured();
    const cause = new Error('connect ECONNREFUSED');
    log.warn({ err: new Failure('STORAGE_UNAVAILABLE', 'No answer.', { cause }) }, 'not stored');
    expect(parsed()[0].err).toEqual({
      code: 'STORAGE_UNAVAILABLE',
      message: 'No answer.',
      cause: 'connect ECONNREFUSED',
    });
    expect(lines[0]?.length).toBeLessThan(250);
  });

  it('writes an unexpected error with its stack', () => {
    const { log, parsed } = captured();
    log.error({ err: new Error('a bug') }, 'failed');
    expect(parsed()[0].err.stack).toContain('log.test.ts');
  });

  it.each([
    [MAX_LINES_PER_MINUTE - 1, MAX_LINES_PER_MINUTE - 1, undefined],
    [MAX_LINES_PER_MINUTE, MAX_LINES_PER_MINUTE, undefined],
    [MAX_LINES_PER_MINUTE + 1, MAX_LINES_PER_MINUTE, 1],
    [1_000, MAX_LINES_PER_MINUTE, 1_000 - MAX_LINES_PER_MINUTE],
  ])(
    'of %i alike lines writes %i, and the count of the others after a minute',
    (all, written, omitted) => {
      const { log, lines, parsed } = captured();
      for (let count = 0; count < all; count += 1) log.warn({ count }, 'not stored');
      expect(lines).toHaveLength(written);
      vi.advanceTimersByTime(60_000);
      expect(lines).toHaveLength(written + (omitted === undefined ? 0 : 1));
      expect(parsed().at(-1)?.omitted).toBe(omitted);
      log.warn('not stored');
      expect(parsed().at(-1)).toMatchObject({ msg: 'not stored', level: 40 });
    },
  );

  it('limits each message by itself, and information not at all', () => {
    const { log, lines } = captured();
    for (let count = 0; count < 20; count += 1) {
      log.warn('one');
      log.error('other');
      log.info('information');
    }
    expect(lines).toHaveLength(2 * MAX_LINES_PER_MINUTE + 20);
  });
});

describe('the log of availability', () => {
  it('has one line for each change, and one a minute between', () => {
    const { log, parsed } = captured();
    let now = 0;
    const storage = createAvailabilityLog(log, 'storage', () => now);
    storage.succeeded();
    for (; now < 150_000; now += 100) storage.failed(new Error('gone'));
    storage.succeeded();
    storage.succeeded();
    expect(parsed().map(({ msg, seconds, failures }) => [msg, seconds, failures])).toEqual([
      ['storage is unavailable', undefined, undefined],
      ['storage is still unavailable', 60, 601],
      ['storage is still unavailable', 120, 1201],
      ['storage is available again', 150, 1500],
    ]);
  });
});
