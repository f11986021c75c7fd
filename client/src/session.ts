import { type Operation, type Operations, operations, type ReplyBody } from '@fieldwatch/contract';
import type { Authorizer } from './authorizer.ts';
import { FieldwatchError } from './errors.ts';
import type { Exchange } from './exchange.ts';
import { DEFAULT_TIMEOUT_MS, within } from './time-limit.ts';

interface Login {
  readonly email: string;
  readonly password: string;
}

interface Live {
  readonly header: string;
  readonly refreshToken: string;
  /** On the monotonic clock: changing the time of day does not end a session. */
  readonly renewAtMs: number;
}

type Tokens = ReplyBody<Operations['createToken']>;

/** A token is renewed this long before it ends, or after three quarters of a shorter life. */
const RENEW_AHEAD_SECONDS = 30;

function liveFrom({ accessToken, expiresIn, refreshToken }: Tokens): Live {
  const usableSeconds = Math.max(expiresIn - RENEW_AHEAD_SECONDS, expiresIn * 0.75);
  return {
    header: `Bearer ${accessToken}`,
    refreshToken,
    renewAtMs: performance.now() + usableSeconds * 1000,
  };
}

/**
 * Signs in on first use and renews the access token when it is about to end or was refused.
 * Requests that need a renewal at the same time share one, since a refresh token is good once.
 */
export function createSession(login: Login, exchange: Exchange): Authorizer {
  let live: Live | undefined;
  let renewal: Promise<Live> | undefined;
  let ended = false;

  // Bound to no caller's signal, since others may wait for the same tokens.
  async function ask(operation: Operation, body: object): Promise<Live> {
    const { body: tokens } = await within(DEFAULT_TIMEOUT_MS, undefined, (signal) =>
      exchange(operation, { body }, {}, signal),
    );
    return liveFrom(tokens as Tokens);
  }

  async function freshTokens(): Promise<Live> {
    if (live) {
      try {
        return await ask(operations.refreshToken, { refreshToken: live.refreshToken });
      } catch (error) {
        const sessionIsOver = error instanceof FieldwatchError && error.status === 401;
        if (!sessionIsOver) throw error;
      }
    }
    return ask(operations.createToken, login);
  }

  function renewed(): Promise<Live> {
    renewal ??= freshTokens()
      .then((tokens) => {
        live = tokens;
        return tokens;
      })
      .finally(() => {
        renewal = undefined;
      });
    return renewal;
  }

  return {
    async header() {
      if (ended) return undefined;
      const due = live === undefined || performance.now() >= live.renewAtMs;
      return (renewal || due ? await renewed() : live)?.header;
    },
    async renew(refused) {
      if (ended) return undefined;
      const renewedMeanwhile = live !== undefined && live.header !== refused;
      return (renewedMeanwhile ? live : await renewed())?.header;
    },
    async end() {
      ended = true;
      await renewal?.catch(() => undefined);
      const last = live;
      live = undefined;
      if (!last) return;
      await within(DEFAULT_TIMEOUT_MS, undefined, (signal) =>
        exchange(operations.revokeToken, { body: { refreshToken: last.refreshToken } }, {}, signal),
      );
    },
  };
}
