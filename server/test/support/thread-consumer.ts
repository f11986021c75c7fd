import { threadId } from 'node:worker_threads';
import type { Consumer } from '../../src/readings/workers/index.ts';

/** Returns the id of its thread, and ends the thread with a batch if the plan asks for that. */
export function createConsumer(plan: 'fails' | 'ends the thread' | 'works'): Consumer<number> {
  return {
    begin: () => threadId,
    add() {
      if (plan === 'fails') throw new Error('the consumer failed');
      if (plan === 'ends the thread') process.exit(1);
      return threadId;
    },
    end: () => threadId,
  };
}
