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
/** Tells all tabs that there is a session. It is no secret: that is in a cookie, which we cannot read. */
const SLOT = 'session';
/** Where earlier versions kept the refresh token itself. */
const FORMER_SLOT = 'refresh-token';

/** The session of this browser: all tabs share one, and each holds an access token of its own. */
export interface TokenKeeper extends Authorizer {
  isSignedIn(): boolean;
  /** Takes the tokens of a new session. */
  begin(tokens: Tokens): void;
  onChange(listener: () => void): () => void;
}

/**
 * The access token stays in memory. The refresh token is in a cookie of the server's, so that a
 * reload and a second tab need no password. It is good once, so tabs renew in turn.
 */
export function createTokenKeeper(anonymous: Client): TokenKeeper {
  const listeners = new Set<() => void>();
  let live: Live | undefined;
  let renewal: Promise<string | undefined> | undefined;
  keep(FORMER_SLOT, null);

  const tell = () => {
    for (const listener of listeners) listener();
  };

  const isSignedIn = () => readKept(SLOT) !== null || live !== undefined;

  function take({ accessToken, expiresIn }: Tokens): void {
    const usableSeconds = Math.max(expiresIn - RENEW_AHEAD_SECONDS, expiresIn * 0.75);
    live = {
      header: `Bearer ${accessToken}`,
      renewAtMs: performance.now() + usableSeconds * 1000,
    };
    keep(SLOT, 'begun');
  }

  function forget(): void {
    live = undefined;
    keep(SLOT, null);
    tell();
  }

  async function freshHeader(): Promise<string | undefined> {
    if (!isSignedIn()) return undefined;
    try {
      take(await anonymous.refreshToken({ body: {} }));
      return live?.header;
    } catch (error) {
      if (!isOver(error)) throw error;
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
    isSignedIn,
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
      const hadSession = isSignedIn();
      forget();
      if (hadSession) await anonymous.revokeToken({ body: {} });
    },
  };
}

/** The session has ended, or the cookie is gone. */
function isOver(error: unknown): boolean {
  return error instanceof FieldwatchError && (error.status === 401 || error.status === 400);
}
