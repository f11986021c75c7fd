import { expect, it } from 'vitest';
import { createStillClock } from '../../test/support/clock.ts';
import { createReload } from './reload.ts';

function start() {
  const clock = createStillClock();
  const invalidated: string[] = [];
  const deviceCache = { invalidate: (deviceId: string) => void invalidated.push(deviceId) };
  const reload = createReload({ clock, deviceCache });
  const times = (count: number, deviceId = 'device') =>
    Array.from({ length: count }, () => reload(deviceId)).filter(Boolean).length;
  return { clock, invalidated, reload, times };
}

it('a Device is reloaded 61 times at once and then once per second, until a minute is over', () => {
  const { clock, invalidated, times } = start();
  expect(times(61)).toBe(61);
  expect(times(1)).toBe(0);
  expect(invalidated).toHaveLength(61);
  clock.advance(999);
  expect(times(1)).toBe(0);
  clock.advance(1);
  expect(times(2)).toBe(1);
  clock.advance(59_000);
  expect(times(62)).toBe(61);
});

it('a node reloads at most a hundred Devices per second', () => {
  const { clock, reload } = start();
  for (let index = 0; index < 100; index += 1) expect(reload(`device ${index}`)).toBe(true);
  expect(reload('another')).toBe(false);
  clock.advance(1_000);
  expect(reload('another')).toBe(true);
});
