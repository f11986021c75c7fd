import { Failure } from '../runtime/index.ts';

/** This node does not act for the Device of a message that was forwarded to it. */
export class NotOwner extends Failure {
  constructor() {
    super('STORAGE_UNAVAILABLE', 'Another node stores the readings of this Device.', {
      retryAfterSeconds: 1,
    });
  }
}
