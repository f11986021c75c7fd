import { Failure } from '../runtime/index.ts';

interface GateLimits {
  readonly maxHeldWeight: number;
  readonly maxWaiting: number;
  readonly waitMs: number;
}

/** Lets work in while what is held weighs less than the limit; the rest waits in line. */
export interface Gate {
  /** Undefined when there is room now. Each entering is followed by one leaving. */
  enter(): Promise<void> | undefined;
  leave(): void;
  load(weight: number): void;
  lighten(weight: number): void;
}

interface Waiter {
  admit(): void;
}

export function createGate({ maxHeldWeight, maxWaiting, waitMs }: GateLimits): Gate {
  const waiting = new Set<Waiter>();
  let held = 0;

  /** One at a time, since nobody knows how much the next one brings until it has loaded it. */
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
    load(weight) {
      held += weight;
      admitNext();
    },
    lighten(weight) {
      held -= weight;
      admitNext();
    },
  };
}

function overloaded(): Failure {
  return new Failure('OVERLOADED', 'Too many readings wait to be stored.', {
    retryAfterSeconds: 1,
  });
}
