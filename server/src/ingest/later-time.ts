import { Failure } from '../runtime/index.ts';

/** The time of a forwarded message may be in use: it is not stored, and another one is reserved. */
export class LaterTime extends Failure {
  readonly at: number;

  constructor(at: number) {
    super('STORAGE_UNAVAILABLE', 'The message has to be forwarded again with a later time.');
    this.at = at;
  }
}
