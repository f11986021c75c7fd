import { createDeferred, Failure, withTimeout } from '../runtime/index.ts';
import type { Transactions } from './storage.ts';

export interface ShareLimits {
  /** How many connections of the lane it may hold at a time. */
  readonly maxConcurrent: number;
  readonly maxWaiting: number;
  readonly waitLimitMs: number;
}

/** Admits work up to the limits; the rest is refused with `OVERLOADED`. */
function createAdmission({ maxConcurrent, maxWaiting, waitLimitMs }: ShareLimits) {
  const waiting = new Set<() => void>();
  let running = 0;

  function overloaded(): Failure {
    return new Failure('OVERLOADED', 'Too many requests wait for storage.', {
      retryAfterSeconds: 1,
    });
  }

  async function enter(): Promise<void> {
    if (running < maxConcurrent) {
      running += 1;
      return;
    }
    if (waiting.size >= maxWaiting) throw overloaded();
    const { promise: admitted, resolve: admit } = createDeferred<void>();
    waiting.add(admit);
    await withTimeout(waitLimitMs, admitted, () => {
      waiting.delete(admit);
      return overloaded();
    });
  }

  /** Admits the longest-waiting work, if any. */
  function release(): void {
    const [next] = waiting;
    if (next === undefined) {
      running -= 1;
      return;
    }
    waiting.delete(next);
    next();
  }

  return async <T>(work: () => Promise<T>): Promise<T> => {
    await enter();
    try {
      return await work();
    } finally {
      release();
    }
  };
}

/** A part of a lane: its users never hold more than `maxConcurrent` of the lane's connections. */
export function createShare(lane: Transactions, limits: ShareLimits): Transactions {
  const admit = createAdmission(limits);
  return {
    query: (sql, params, options) => admit(() => lane.query(sql, params, options)),
    transaction: (work) => admit(() => lane.transaction(work)),
    atomically: (statements) => admit(() => lane.atomically(statements)),
  };
}
