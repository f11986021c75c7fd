import { Failure } from '../runtime/index.ts';

/** Another node has taken over: what this one was asked for, the other does. */
export function epochEnded(): Failure {
  return new Failure('STORAGE_UNAVAILABLE', 'Another node has taken over from this one.', {
    retryAfterSeconds: 2,
  });
}
