import { hash, randomBytes } from 'node:crypto';
import type { Caller } from '../../http/index.ts';
import {
  BoundedMap,
  type Clock,
  createRateLimit,
  Failure,
  type Log,
  type RateLimit,
  rateLimitKey,
} from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { type AdmissionSettings, createAdmission } from '../admission.ts';
import { isKeyId } from '../key-id.ts';
import type { Secrets } from '../secrets/index.ts';
import { keyCaller } from './callers.ts';
import { type Credentials, unauthenticated } from './credentials.ts';
import { createLastUsed } from './last-used.ts';
import { createShortCache, FRESHNESS } from './short-cache.ts';
import { findKey, type KeyRow, saveLastUsed } from './store.ts';

export interface KeyLimits extends AdmissionSettings {
  /** Failures a minute of one key id from one address. */
  readonly keyFailuresPerMinute: number;
  /** Failures a minute of all key ids from one address. */
  readonly addressFailuresPerMinute: number;
}

export interface KeyIdentityDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly secrets: Secrets;
  readonly keyLimits: KeyLimits;
  /** Called for a wrong secret of an existing key. */
  readonly onKeyFailure: (keyId: string, address: string) => void;
}

/** Authenticates API keys. */
export interface KeyIdentity {
  callerOf(credentials: Credentials & { kind: 'BASIC' }, address: string): Promise<Caller>;
  invalidate(id: string): void;
  flush(): Promise<void>;
}

const MAX_FAILING = 10_000;
const MAX_PROVEN = 10_000;
const WRONG = 'The API key id or its secret is wrong.';

interface KnownKey {
  readonly row: KeyRow;
  readonly caller: Caller;
}

/** Names credentials in memory without holding the secret. */
function createMarks(): (keyId: string, secret: string) => string {
  const salt = randomBytes(32).toString('base64');
  return (keyId, secret) => hash('sha256', `${salt}${keyId}:${secret}`, 'base64');
}

/** Counts failures, and stops what would only be one more guess. */
function createGuessLimits({ clock, secrets, keyLimits, onKeyFailure }: KeyIdentityDeps) {
  const limitOf = (limit: number) =>
    createRateLimit(clock, { limit, windowMs: 60_000, maxKeys: MAX_FAILING });
  const byKeyAndAddress = limitOf(keyLimits.keyFailuresPerMinute);
  const byAddress = limitOf(keyLimits.addressFailuresPerMinute);
  const slowChecks = createAdmission(keyLimits);

  function failure(keyId: string, address: string, detail: string): Failure {
    const addressKey = rateLimitKey(address);
    byAddress.hit(addressKey);
    const { allowed, resetSeconds } = byKeyAndAddress.hit(attemptKey(addressKey, keyId));
    return allowed ? unauthenticated(detail) : tooManyFailures(resetSeconds);
  }

  return {
    failure,
    requireAddressAllowed: (address: string) => requireAllowed(byAddress, rateLimitKey(address)),
    /** Counted before the check: guesses made at the same moment must not all slip through. */
    async checkSlowly(row: KeyRow, secret: string, address: string): Promise<void> {
      const addressKey = rateLimitKey(address);
      const attempt = attemptKey(addressKey, row.id);
      requireAllowed(byKeyAndAddress, attempt);
      requireAllowed(byAddress, addressKey);
      await slowChecks.run(addressKey, async () => {
        const failed = failure(row.id, address, WRONG);
        let isWrong = false;
        try {
          isWrong = !(await secrets.verifyKeySecret(row.secretHash, secret));
        } finally {
          if (!isWrong) {
            byKeyAndAddress.refund(attempt);
            byAddress.refund(addressKey);
          }
        }
        if (!isWrong) return;
        onKeyFailure(row.id, address);
        throw failed;
      });
    },
  };
}

/**
 * Guessing is stopped before the look-up for an address that fails too often with whatever ids, and
 * before the slow hash for one id. A generated secret costs no slow hash and cannot be guessed, so
 * the failures of others never lock out a client that knows it.
 */
export function createKeyIdentity(deps: KeyIdentityDeps): KeyIdentity {
  const { storage, clock, log, secrets } = deps;
  const uses = createLastUsed((noted) => saveLastUsed(storage, noted), log);
  const keys = createShortCache<KnownKey | null>(clock, {
    ...FRESHNESS,
    async load(id) {
      const row = await findKey(storage, id);
      return row && { row, caller: keyCaller(row) };
    },
  });
  const guesses = createGuessLimits(deps);
  const markOf = createMarks();
  /**
   * Marks of credentials that were right before, with the stored hash that they were compared with:
   * their use is never limited, and they stay right for that hash.
   */
  const proven = new BoundedMap<string, string>(MAX_PROVEN);
  const checks = new Map<string, Promise<void>>();
  /** A single flight: parallel requests with the same credentials share one slow check. */
  function checkOnce(mark: string, check: () => Promise<void>): Promise<void> {
    const inFlight = checks.get(mark) ?? check().finally(() => checks.delete(mark));
    checks.set(mark, inFlight);
    return inFlight;
  }
  return {
    async callerOf({ keyId, secret }, address) {
      const mark = markOf(keyId, secret);
      const provenHash = proven.get(mark);
      if (provenHash === undefined) guesses.requireAddressAllowed(address);
      const known = isKeyId(keyId) ? await keys.get(keyId) : null;
      const isRight =
        known !== null &&
        (known.row.secretHash === provenHash ||
          secrets.checkKeySecretQuickly(known.row.secretHash, secret));
      if (!known || isRight === false) {
        if (known) deps.onKeyFailure(keyId, address);
        throw guesses.failure(keyId, address, WRONG);
      }
      if (isRight === undefined) {
        await checkOnce(mark, () => guesses.checkSlowly(known.row, secret, address));
      }
      const now = clock.now();
      const { expiresAt, lastUsedAt } = known.row;
      if (expiresAt !== null && expiresAt <= now) {
        throw guesses.failure(keyId, address, 'The API key has expired.');
      }
      proven.set(mark, known.row.secretHash);
      uses.note(keyId, now, lastUsedAt);
      return known.caller;
    },
    invalidate: keys.invalidate,
    flush: uses.flush,
  };
}

function attemptKey(addressKey: string, keyId: string): string {
  return `${addressKey} ${keyId.slice(0, 100)}`;
}

function requireAllowed(limit: RateLimit, key: string): void {
  const { allowed, resetSeconds } = limit.peek(key);
  if (!allowed) throw tooManyFailures(resetSeconds);
}

function tooManyFailures(retryAfterSeconds: number): Failure {
  return new Failure('TOO_MANY_REQUESTS', 'Too many failures of API keys from this address.', {
    retryAfterSeconds,
  });
}
