import { expect, it } from 'vitest';
import { BadTimeLog } from './bad-time-log.ts';

it('rejections for bad time are logged at most once a minute, with their number since', () => {
  const lines: unknown[] = [];
  const log = new BadTimeLog({ warn: (fields: unknown) => lines.push(fields) } as never);
  const bad = { key: 'rpm', reason: 'badTime' } as const;
  const wrong = { key: 'rpm', reason: 'wrongType' } as const;
  log.note('one', { rejected: [wrong], at: 0 });
  expect(lines).toEqual([]);
  log.note('one', { rejected: [bad, wrong, bad], at: 0 });
  for (let at = 1; at < 60_000; at += 1_000) log.note(`device ${at % 3}`, { rejected: [bad], at });
  log.note('one', { rejected: [bad], at: 59_999 });
  expect(lines).toEqual([
    { readings: 2, devices: 1, deviceId: 'one', serverTime: '1970-01-01T00:00:00.000Z' },
  ]);
  log.note('one', { rejected: [bad], at: 60_000 });
  expect(lines[1]).toEqual({
    readings: 62,
    devices: 4,
    deviceId: 'one',
    serverTime: '1970-01-01T00:01:00.000Z',
  });
});
