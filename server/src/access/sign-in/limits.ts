import { type Clock, createRateLimit, Failure } from '../../runtime/index.ts';

export interface SignInLimitSettings {
  readonly failuresPerAccount: number;
  readonly failuresPerAddress: number;
  readonly windowMs: number;
}

/** Limits wrong passwords, per account and per address. */
export interface SignInLimits {
  /** Runs the check unless there were too many failures before; null from it is one more failure. */
  guard<T>(account: string, address: string, check: () => Promise<T | null>): Promise<T | null>;
}

const MAX_KEYS = 20_000;

export function createSignInLimits(clock: Clock, settings: SignInLimitSettings): SignInLimits {
  const shared = { windowMs: settings.windowMs, maxKeys: MAX_KEYS };
  const addresses = createRateLimit(clock, { ...shared, limit: settings.failuresPerAddress });
  const accounts = createRateLimit(clock, { ...shared, limit: settings.failuresPerAccount });
  // An address that knew the password is counted by itself, so that strangers cannot lock it out.
  const familiar = new Set<string>();

  function befriend(place: string): void {
    familiar.delete(place);
    for (const oldest of familiar) {
      if (familiar.size < MAX_KEYS) break;
      familiar.delete(oldest);
    }
    familiar.add(place);
  }

  return {
    async guard(account, address, check) {
      const place = `${account} ${address}`;
      const counted = familiar.has(place) ? place : account;
      // Counted before the check: guesses made at the same moment must not all slip through.
      const byAddress = addresses.hit(address);
      if (!byAddress.allowed) throw tooMany(byAddress.resetSeconds);
      const byAccount = accounts.hit(counted);
      if (!byAccount.allowed) {
        addresses.refund(address);
        throw tooMany(byAccount.resetSeconds);
      }
      let outcome: Awaited<ReturnType<typeof check>>;
      try {
        outcome = await check();
      } catch (error) {
        addresses.refund(address);
        accounts.refund(counted);
        throw error;
      }
      if (outcome !== null) {
        addresses.refund(address);
        accounts.forget(counted);
        befriend(place);
      }
      return outcome;
    },
  };
}

function tooMany(retryAfterSeconds: number): Failure {
  return new Failure('TOO_MANY_REQUESTS', 'Too many failed sign-ins; try again later.', {
    retryAfterSeconds,
  });
}
