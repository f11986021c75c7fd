import { createConcurrencyLimit, Failure } from '../runtime/index.ts';

export interface AdmissionSettings {
  readonly maxConcurrentPerAddress: number;
  readonly maxConcurrent: number;
}

/**
 * Admission control for work that clients without credentials may request. Work over a limit is
 * refused at once, before it takes a database connection.
 */
export interface Admission {
  run<T>(addressKey: string, work: () => Promise<T>): Promise<T>;
}

export function createAdmission(settings: AdmissionSettings): Admission {
  const inProgress = createConcurrencyLimit({
    perKey: settings.maxConcurrentPerAddress,
    inAll: settings.maxConcurrent,
  });
  return {
    async run(addressKey, work) {
      const outcome = inProgress.enter(addressKey);
      if (outcome === 'over key limit') {
        throw new Failure(
          'TOO_MANY_REQUESTS',
          'Too many requests of this kind are in progress from this address.',
          { retryAfterSeconds: 1 },
        );
      }
      if (outcome === 'over total limit') {
        throw new Failure(
          'OVERLOADED',
          'Too many requests of this kind are in progress; try again shortly.',
          { retryAfterSeconds: 1 },
        );
      }
      try {
        return await work();
      } finally {
        inProgress.leave(addressKey);
      }
    },
  };
}
