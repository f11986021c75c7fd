import {
  type Clock,
  createRateLimit,
  Failure,
  type RateLimit,
  rateLimitKey,
} from '../../runtime/index.ts';
import { type AdmissionSettings, createAdmission } from '../admission.ts';

export interface SignInLimitSettings extends AdmissionSettings {
  /** Of one account from one address. */
  readonly failuresPerAccountAndAddress: number;
  /** Of one account from all addresses that its user never signed in from. */
  readonly failuresPerAccount: number;
  readonly failuresPerAddress: number;
  /** Refresh tokens and invitations that were never issued. */
  readonly unknownTokensPerAddress: number;
  readonly windowMs: number;
}

export type SignInRefusal = 'FAILED' | 'LOCKED_OUT';

export interface GuardOptions {
  /** Whether the user has signed in from this address before; asked only when it matters. */
  readonly isKnownAddress?: () => Promise<boolean>;
}

/** Limits failed sign-ins, and how many of them are in progress. */
export interface SignInLimits {
  /** Runs the work unless too many sign-ins are in progress, from its address or in all. */
  admit<T>(address: string, work: () => Promise<T>): Promise<T>;
  /**
   * Runs the check unless there were too many failures before; null from it is one more failure.
   * It counts before it takes a database connection.
   */
  guard<T>(
    account: string,
    address: string,
    check: () => Promise<T | null>,
    options?: GuardOptions,
  ): Promise<T | null>;
  /** The same for a token that is looked up by its value; null means that it is unknown. */
  guardToken<T>(address: string, find: () => Promise<T | null>): Promise<T | null>;
}

const MAX_KEYS = 20_000;

/** A look-up is one short statement. */
const LOOK_UPS: AdmissionSettings = { maxConcurrentPerAddress: 64, maxConcurrent: 128 };

const NEVER_KNOWN = async () => false;

export function createSignInLimits(
  clock: Clock,
  settings: SignInLimitSettings,
  onRefused: (refusal: SignInRefusal, account: string, address: string) => void = () => undefined,
): SignInLimits {
  const failures = createFailureCounts(clock, settings);
  const tokens = limitOf(clock, settings, settings.unknownTokensPerAddress);
  const signIns = createAdmission(settings);
  const lookUps = createAdmission(LOOK_UPS);
  return {
    admit: (address, work) => signIns.run(rateLimitKey(address), work),
    async guard(account, address, check, { isKnownAddress = NEVER_KNOWN } = {}) {
      const attempt = { address: rateLimitKey(address), account };
      const waitSeconds = await failures.add(attempt, isKnownAddress);
      if (waitSeconds !== null) {
        onRefused('LOCKED_OUT', account, address);
        throw tooMany(waitSeconds);
      }
      const outcome = await check().catch((error: unknown) => {
        failures.refund(attempt);
        throw error;
      });
      if (outcome === null) onRefused('FAILED', account, address);
      else failures.clear(attempt);
      return outcome;
    },
    guardToken: (address, find) => {
      const key = rateLimitKey(address);
      return lookUps.run(key, async () => {
        const verdict = tokens.hit(key);
        if (!verdict.allowed) throw tooMany(verdict.resetSeconds);
        const found = await find().catch((error: unknown) => {
          tokens.refund(key);
          throw error;
        });
        if (found !== null) tokens.refund(key);
        return found;
      });
    },
  };
}

/** One account from one address. */
interface Attempt {
  readonly account: string;
  readonly address: string;
}

function limitOf(clock: Clock, { windowMs }: SignInLimitSettings, limit: number): RateLimit {
  return createRateLimit(clock, { limit, windowMs, maxKeys: MAX_KEYS });
}

/** Failures are counted before the check: guesses made at one moment must not all slip through. */
function createFailureCounts(clock: Clock, settings: SignInLimitSettings) {
  const addresses = limitOf(clock, settings, settings.failuresPerAddress);
  const attempts = limitOf(clock, settings, settings.failuresPerAccountAndAddress);
  const accounts = limitOf(clock, settings, settings.failuresPerAccount);
  const keyOf = ({ account, address }: Attempt) => `${account} ${address}`;

  function refund(attempt: Attempt): void {
    addresses.refund(attempt.address);
    attempts.refund(keyOf(attempt));
    accounts.refund(attempt.account);
  }

  return {
    /** Answers how many seconds to wait when there were too many; then it has counted nothing. */
    async add(attempt: Attempt, isKnownAddress: () => Promise<boolean>): Promise<number | null> {
      const byAddress = addresses.hit(attempt.address);
      if (!byAddress.allowed) return byAddress.resetSeconds;
      const byAttempt = attempts.hit(keyOf(attempt));
      if (!byAttempt.allowed) {
        addresses.refund(attempt.address);
        return byAttempt.resetSeconds;
      }
      const byAccount = accounts.hit(attempt.account);
      // Failures from other addresses cannot lock a user out of the addresses that they sign in from.
      if (byAccount.allowed) return null;
      const isKnown = await isKnownAddress().catch((error: unknown) => {
        refund(attempt);
        throw error;
      });
      if (isKnown) return null;
      refund(attempt);
      return byAccount.resetSeconds;
    },
    refund,
    /** The check found no failure. */
    clear(attempt: Attempt): void {
      addresses.refund(attempt.address);
      attempts.reset(keyOf(attempt));
      accounts.refund(attempt.account);
    },
  };
}

function tooMany(retryAfterSeconds: number): Failure {
  return new Failure('TOO_MANY_REQUESTS', 'Too many failed sign-ins; try again later.', {
    retryAfterSeconds,
  });
}
