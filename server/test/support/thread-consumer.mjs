import { threadId } from 'node:worker_threads';

/** Returns the id of its thread, and fails or ends the thread with a batch if the plan asks for that. */
export function createConsumer(plan) {
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
