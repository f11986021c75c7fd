import type { Caller } from '../../http/index.ts';
import { type Clock, createRateLimit, Failure, type Log } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { isKeyId } from '../key-id.ts';
import type { Secrets } from '../secrets/index.ts';
import { keyCaller } from './callers.ts';
import { type Credentials, unauthenticated } from './credentials.ts';
import { createLastUsed } from './last-used.ts';
import { createShortCache, FRESHNESS } from './short-cache.ts';
import { findKey, saveLastUsed } from './store.ts';

export interface KeyIdentityDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: Secrets;
  /** Failures a minute of one key id from one address. */
  readonly keyFailuresPerMinute: number;
}

/** Tells who sent an API key. */
export interface KeyIdentity {
  callerOf(credentials: Credentials & { kind: 'BASIC' }, address: string): Promise<Caller>;
  forget(id: string): void;
  settle(): Promise<void>;
}

const MAX_FAILING = 10_000;

export function createKeyIdentity(deps: KeyIdentityDeps): KeyIdentity {
  const { storage, clock, log, secrets, keyFailuresPerMinute } = deps;
  const uses = createLastUsed((noted) => saveLastUsed(storage, noted), log);
  const keys = createShortCache(clock, {
    ...FRESHNESS,
    async load(id) {
      const row = await findKey(storage, id);
      return row && { row, caller: keyCaller(row) };
    },
  });
  const failures = createRateLimit(clock, {
    limit: keyFailuresPerMinute,
    windowMs: 60_000,
    maxKeys: MAX_FAILING,
  });

  /** Counted once the secret was found wrong, so that the failures of others shut nobody out. */
  function failure(keyId: string, address: string, detail: string): Failure {
    const { allowed, resetSeconds } = failures.hit(`${address} ${keyId.slice(0, 100)}`);
    if (allowed) return unauthenticated(detail);
    const tooMany = 'Too many failures of this API key from this address.';
    return new Failure('TOO_MANY_REQUESTS', tooMany, { retryAfterSeconds: resetSeconds });
  }

  return {
    async callerOf({ keyId, secret }, address) {
      const known = isKeyId(keyId) ? await keys.get(keyId) : null;
      const isRight = known && (await secrets.verifyKeySecret(known.row.secretHash, secret));
      if (!isRight) throw failure(keyId, address, 'The API key id or its secret is wrong.');
      const now = clock.now();
      const { expiresAt, lastUsedAt } = known.row;
      if (expiresAt !== null && expiresAt <= now) {
        throw failure(keyId, address, 'The API key has expired.');
      }
      uses.note(keyId, now, lastUsedAt);
      return known.caller;
    },
    forget: keys.drop,
    settle: uses.settle,
  };
}
