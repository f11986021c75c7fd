import { expect, it } from 'vitest';
import { ClockSteps } from './clock-steps.ts';

function stepsOn(time: { now: number; elapsed: number }): ClockSteps {
  return new ClockSteps({ now: () => time.now, elapsed: () => time.elapsed });
}

it('a clock that runs evenly has no steps, however rarely it is read', () => {
  const time = { now: 1_000_000, elapsed: 50 };
  const steps = stepsOn(time);
  for (const passedMs of [0, 1, 200, 86_400_000]) {
    time.now += passedMs;
    time.elapsed += passedMs;
    expect(steps.read()).toEqual({ ...time, stepMs: 0 });
  }
});

it('a clock that is set forward or back reports each step once', () => {
  const time = { now: 1_000_000, elapsed: 50 };
  const steps = stepsOn(time);
  time.now += 3_600_200;
  time.elapsed += 200;
  expect(steps.read().stepMs).toBe(3_600_000);
  expect(steps.read().stepMs).toBe(0);
  time.now -= 3_600_000;
  expect(steps.read()).toEqual({ now: 1_000_200, elapsed: 250, stepMs: -3_600_000 });
  expect(steps.read().stepMs).toBe(0);
});

it('a step counts from one second on, in each direction', () => {
  const time = { now: 1_000_000, elapsed: 50 };
  const steps = stepsOn(time);
  for (const [movedMs, stepMs] of [
    [999, 0],
    [-999, 0],
    [1_000, 1_000],
    [-1_000, -1_000],
  ] as const) {
    time.now += movedMs;
    expect(steps.read().stepMs).toBe(stepMs);
  }
});

it('slewing is no step, although it adds up to more than one second', () => {
  const time = { now: 1_000_000, elapsed: 50 };
  const steps = stepsOn(time);
  for (let round = 0; round < 50_000; round += 1) {
    time.now += 200.1;
    time.elapsed += 200;
    expect(steps.read().stepMs).toBe(0);
  }
});
