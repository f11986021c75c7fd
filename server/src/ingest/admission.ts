import { createDeferred, Failure, withTimeout } from '../runtime/index.ts';

export interface AdmissionLimits {
  readonly maxHeldWeight: number;
  readonly maxWaiting: number;
  readonly waitMs: number;
}

/**
 * Admission control: admits messages while the readings in memory weigh less than the limit; further
 * messages wait in order.
 */
export interface Admission {
  /** Undefined when the message is admitted now. Each `enter` is followed by one `leave`. */
  enter(): Promise<void> | undefined;
  leave(): void;
  /** Counts readings that are held in memory. */
  hold(weight: number): void;
  release(weight: number): void;
}

export function createAdmission({ maxHeldWeight, maxWaiting, waitMs }: AdmissionLimits): Admission {
  const waiting = new Set<() => void>();
  let held = 0;

  /** Admits one at a time, since the weight of a message is known only once it is decoded. */
  function admitNext(): void {
    if (waiting.size === 0 || held >= maxHeldWeight) return;
    for (const admit of waiting) {
      waiting.delete(admit);
      admit();
      return;
    }
  }

  function wait(): Promise<void> {
    const { promise: admitted, resolve: admit } = createDeferred<void>();
    waiting.add(admit);
    return withTimeout(waitMs, admitted, () => {
      waiting.delete(admit);
      return overloaded();
    });
  }

  return {
    enter() {
      if (held < maxHeldWeight && waiting.size === 0) return undefined;
      return waiting.size < maxWaiting ? wait() : Promise.reject(overloaded());
    },
    leave: admitNext,
    hold(weight) {
      held += weight;
      admitNext();
    },
    release(weight) {
      held -= weight;
      admitNext();
    },
  };
}

function overloaded(): Failure {
  return new Failure('OVERLOADED', 'Too many readings are waiting to be stored.', {
    retryAfterSeconds: 1,
  });
}
