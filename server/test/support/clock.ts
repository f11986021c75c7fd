import type { Clock } from '../../src/runtime/index.ts';

export interface TestClock extends Clock {
  advance(milliseconds: number): void;
}

/** The real time plus what the test added to it. */
export function createTestClock(): TestClock {
  let ahead = 0;
  return {
    now: () => Date.now() + ahead,
    advance(milliseconds) {
      ahead += milliseconds;
    },
  };
}
