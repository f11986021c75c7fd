import type { Clock } from '../../src/runtime/index.ts';

export interface TestClock extends Clock {
  /** So much time passes. */
  advance(milliseconds: number): void;
  /** The clock is set by so much, forward or back; no time passes. */
  step(milliseconds: number): void;
}

/** The real time plus what the test added to it. */
export function createTestClock(): TestClock {
  return clockOver(
    () => Date.now(),
    () => performance.now(),
  );
}

/** Time passes only by what the test adds to it, however slow the machine is. */
export function createStillClock(): TestClock {
  // In whole milliseconds: the difference of two sums with a fraction may be less than what was added.
  const [startedAt, elapsed] = [Date.now(), Math.floor(performance.now())];
  return clockOver(
    () => startedAt,
    () => elapsed,
  );
}

function clockOver(now: () => number, elapsed: () => number): TestClock {
  let passed = 0;
  let stepped = 0;
  return {
    now: () => now() + passed + stepped,
    elapsed: () => elapsed() + passed,
    advance(milliseconds) {
      passed += milliseconds;
    },
    step(milliseconds) {
      stepped += milliseconds;
    },
  };
}
