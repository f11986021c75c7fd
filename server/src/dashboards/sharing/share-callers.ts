import { SHARE_SECRET_PREFIX } from '@fieldwatch/contract';
import { digestOf } from '../../access/index.ts';
import type { Caller, FindShareCaller } from '../../http/index.ts';
import { type Clock, createRateLimit, Failure, rateLimitKey } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import { findByDigest } from './store.ts';

interface ShareCallersDeps {
  readonly storage: Queries;
  readonly clock: Clock;
}

const FAILURES = { limit: 600, windowMs: 60_000, maxKeys: 10_000 };
const SECRET = new RegExp(`^${SHARE_SECRET_PREFIX}[A-Za-z0-9_-]{43}$`);

/**
 * Finds the share link whose secret a request presents, at every request, so that a revoked one ends
 * with its next request at every node. An address that fails too often is refused before the look-up.
 */
export function createFindShareCaller({ storage, clock }: ShareCallersDeps): FindShareCaller {
  const failures = createRateLimit(clock, FAILURES);

  function failure(address: string, detail: string): Failure {
    failures.hit(rateLimitKey(address));
    return new Failure('UNAUTHENTICATED', detail);
  }

  return async (secret, address) => {
    const { allowed, resetSeconds } = failures.peek(rateLimitKey(address));
    if (!allowed) {
      const detail = 'Too many unknown share links from this address.';
      throw new Failure('TOO_MANY_REQUESTS', detail, { retryAfterSeconds: resetSeconds });
    }
    const link = SECRET.test(secret) ? await findByDigest(storage, digestOf(secret)) : null;
    if (!link) throw failure(address, 'The share link is unknown or was revoked.');
    if (link.expiresAt !== null && link.expiresAt <= clock.now()) {
      throw failure(address, 'The share link has expired.');
    }
    return shareCaller(link);
  };
}

/** It has no permission in any organization; the shared operations ask for none. */
function shareCaller({ id, name }: { readonly id: string; readonly name: string }): Caller {
  return { kind: 'SHARE', id, name, sessionId: null, permissionsIn: () => undefined };
}
