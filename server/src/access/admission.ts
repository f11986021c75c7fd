import { Failure } from '../runtime/index.ts';

export interface AdmissionSettings {
  readonly maxConcurrentPerAddress: number;
  readonly maxConcurrent: number;
}

/**
 * Admission control for work that anyone may ask for. It is refused at once, before it takes a
 * database connection, while too much of it is in progress.
 */
export interface Admission {
  run<T>(addressKey: string, work: () => Promise<T>): Promise<T>;
}

export function createAdmission(settings: AdmissionSettings): Admission {
  const byAddress = new Map<string, number>();
  let total = 0;

  function release(addressKey: string): void {
    total -= 1;
    const left = (byAddress.get(addressKey) ?? 1) - 1;
    if (left > 0) byAddress.set(addressKey, left);
    else byAddress.delete(addressKey);
  }

  return {
    async run(addressKey, work) {
      const ofAddress = byAddress.get(addressKey) ?? 0;
      if (ofAddress >= settings.maxConcurrentPerAddress) {
        throw new Failure('TOO_MANY_REQUESTS', 'Too many of these are in progress from here.', {
          retryAfterSeconds: 1,
        });
      }
      if (total >= settings.maxConcurrent) {
        throw new Failure('OVERLOADED', 'Too many of these are in progress; try again shortly.', {
          retryAfterSeconds: 1,
        });
      }
      total += 1;
      byAddress.set(addressKey, ofAddress + 1);
      try {
        return await work();
      } finally {
        release(addressKey);
      }
    },
  };
}
