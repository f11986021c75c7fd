import { Failure } from '../runtime/index.ts';

/** Another node has taken over: this one will never store it, and the sender has to try again. */
export class EpochEnded extends Failure {
  constructor() {
    super('STORAGE_UNAVAILABLE', 'Another node has taken over from this one.', {
      retryAfterSeconds: 2,
    });
  }
}
