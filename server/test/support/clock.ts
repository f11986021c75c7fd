import type { Clock } from '../../src/runtime/index.ts';

export interface TestClock extends Clock {
  /** So much time passes. */
  advance(milliseconds: number): void;
  /** The clock is set by so much, forward or back; no time passes. */
  step(milliseconds: number): void;
}

/** The real time plus what the test added to it. */
export function createTestClock(): TestClock {
  let passed = 0;
  let stepped = 0;
  return {
    now: () => Date.now() + passed + stepped,
    elapsed: () => performance.now() + passed,
    advance(milliseconds) {
      passed += milliseconds;
    },
    step(milliseconds) {
      stepped += milliseconds;
    },
  };
}
