import { type Authorizer, type Client, FieldwatchError } from '@fieldwatch/client';
import type { Operations, ReplyBody } from '@fieldwatch/contract';
import { inTurn, keep, onKeptElsewhere, readKept } from '../runtime/index.ts';

type Tokens = ReplyBody<Operations['createToken']>;

interface Live {
  readonly header: string;
  /** On the monotonic clock: changing the time of day does not end a session. */
  readonly renewAtMs: number;
}

/** Renewed this long before its end, or after three quarters of a shorter life. */
const RENEW_AHEAD_SECONDS = 60;
const SLOT = 'refresh-token';

/** The session of this browser: all tabs share one, and each holds an access token of its own. */
export interface TokenKeeper extends Authorizer {
  isSignedIn(): boolean;
  /** Takes the tokens of a new session. */
  begin(tokens: Tokens): void;
  onChange(listener: () => void): () => void;
}

/**
 * The access token stays in memory. The refresh token is kept by the browser, so that a reload and a
 * second tab need no password. It is good once, so tabs renew in turn and each reads what is kept
 * before it asks.
 */
export function createTokenKeeper(anonymous: Client): TokenKeeper {
  const listeners = new Set<() => void>();
  let live: Live | undefined;
  let renewal: Promise<string | undefined> | undefined;

  const tell = () => {
    for (const listener of listeners) listener();
  };

  function take({ accessToken, expiresIn, refreshToken }: Tokens): void {
    const usableSeconds = Math.max(expiresIn - RENEW_AHEAD_SECONDS, expiresIn * 0.75);
    live = {
      header: `Bearer ${accessToken}`,
      renewAtMs: performance.now() + usableSeconds * 1000,
    };
    keep(SLOT, refreshToken);
  }

  function forget(): void {
    live = undefined;
    keep(SLOT, null);
    tell();
  }

  async function freshHeader(): Promise<string | undefined> {
    const refreshToken = readKept(SLOT);
    if (refreshToken === null) return undefined;
    try {
      take(await anonymous.refreshToken({ body: { refreshToken } }));
      return live?.header;
    } catch (error) {
      const isOver = error instanceof FieldwatchError && error.status === 401;
      if (!isOver) throw error;
      forget();
      return undefined;
    }
  }

  function renewed(): Promise<string | undefined> {
    renewal ??= inTurn(SLOT, freshHeader).finally(() => {
      renewal = undefined;
    });
    return renewal;
  }

  onKeptElsewhere(SLOT, (value) => {
    if (value !== null) return;
    live = undefined;
    tell();
  });

  return {
    isSignedIn: () => readKept(SLOT) !== null || live !== undefined,
    begin(tokens) {
      take(tokens);
      tell();
    },
    onChange(listener) {
      listeners.add(listener);
      return () => listeners.delete(listener);
    },
    async header() {
      const isDue = live === undefined || performance.now() >= live.renewAtMs;
      return isDue ? renewed() : live?.header;
    },
    async renew(refused) {
      return live !== undefined && live.header !== refused ? live.header : renewed();
    },
    async end() {
      const refreshToken = readKept(SLOT);
      forget();
      if (refreshToken !== null) await anonymous.revokeToken({ body: { refreshToken } });
    },
  };
}
