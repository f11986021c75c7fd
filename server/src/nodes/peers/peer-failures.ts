import { Failure } from '../../runtime/index.ts';

/** The call certainly did not reach a handler of the other node: it may be repeated safely. */
export class PeerUnreachable extends Failure {
  constructor(cause?: unknown) {
    super('STORAGE_UNAVAILABLE', 'Another node cannot be reached.', {
      retryAfterSeconds: 2,
      cause,
    });
  }
}

/** The outcome of the call is unknown: the other node may have handled it, or may yet do so. */
export class PeerSilent extends Failure {
  constructor(cause?: unknown) {
    super('STORAGE_UNAVAILABLE', 'Another node does not answer.', {
      retryAfterSeconds: 2,
      cause,
    });
  }
}
