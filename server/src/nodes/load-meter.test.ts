import { expect, it } from 'vitest';
import { createStillClock } from '../../test/support/clock.ts';
import { LoadMeter } from './load-meter.ts';

it('rates are averages of the last ten seconds', () => {
  const clock = createStillClock();
  const meter = new LoadMeter(clock);
  let readings = 1_000;
  meter.register({ readings: () => readings, forwarded: () => 2 * readings });
  meter.sample();
  expect(meter.load().readingsPerSecond).toBe(0);
  for (let step = 0; step < 5; step += 1) {
    clock.advance(2_000);
    readings += 100;
    meter.sample();
  }
  expect(meter.load()).toMatchObject({ readingsPerSecond: 50, forwardedPerSecond: 100 });
  for (let step = 0; step < 5; step += 1) {
    clock.advance(2_000);
    meter.sample();
  }
  expect(meter.load()).toMatchObject({ readingsPerSecond: 0, forwardedPerSecond: 0 });
});

it('figures that are not registered are 0, and the process has memory', () => {
  const meter = new LoadMeter(createStillClock());
  expect(meter.load()).toMatchObject({ mqttSessionCount: 0, receivedPerSecond: 0 });
  expect(meter.load().memoryBytes).toBeGreaterThan(0);
  meter.register({ oldestMessageMs: () => 1_234.5678, flushBacklogBytes: () => 7 });
  expect(meter.lag()).toEqual({ oldestMessageSeconds: 1.235, flushBacklogBytes: 7 });
});
