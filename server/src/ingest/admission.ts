import { Failure } from '../runtime/index.ts';

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

interface Waiter {
  admit(): void;
}

export function createAdmission({ maxHeldWeight, maxWaiting, waitMs }: AdmissionLimits): Admission {
  const waiting = new Set<Waiter>();
  let held = 0;

  /** Admits one at a time, since the weight of a message is known only once it is decoded. */
  function admitNext(): void {
    if (waiting.size === 0 || held >= maxHeldWeight) return;
    for (const waiter of waiting) {
      waiter.admit();
      return;
    }
  }

  function wait(): Promise<void> {
    return new Promise((resolve, reject) => {
      const timer = setTimeout(() => {
        waiting.delete(waiter);
        reject(overloaded());
      }, waitMs);
      const waiter = {
        admit() {
          clearTimeout(timer);
          waiting.delete(waiter);
          resolve();
        },
      };
      waiting.add(waiter);
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
