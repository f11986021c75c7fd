import { type Authorizer, type Client, FieldwatchError } from '@fieldwatch/client';
import type { Operations, ReplyBody } from '@fieldwatch/contract';
import { onStoredByOtherTab, readStored, withTabLock, writeStored } from '../runtime/index.ts';

type Tokens = ReplyBody<Operations['createToken']>;

interface Live {
  readonly header: string;
  /** On the monotonic clock, so that a change of the system time does not end a session. */
  readonly renewAtMs: number;
}

/** An access token is renewed this long before it expires, or after three quarters of a shorter lifetime. */
const RENEW_AHEAD_SECONDS = 60;
/** Marks a session for all tabs. The secret itself is in a cookie that scripts cannot read. */
const SESSION_MARKER = 'session';
const BEGUN = 'begun';
/** The server ended the session; after a sign-out there is no marker. */
const ENDED = 'ended';
/** Earlier versions stored the refresh token here. */
const FORMER_REFRESH_TOKEN = 'refresh-token';

/** The session of this browser: all tabs share it, and each tab has its own access token. */
export interface TokenStore extends Authorizer {
  isSignedIn(): boolean;
  /** Starts a session with its tokens. */
  begin(tokens: Tokens): void;
  onChange(listener: () => void): () => void;
}

/** True when the server has ended the last session, in whichever tab that was noticed. */
export function hasSessionEnded(): boolean {
  return readStored(SESSION_MARKER) === ENDED;
}

/**
 * The access token stays in memory. The refresh token is in an HTTP-only cookie, so that a reload and
 * a second tab need no password. A refresh token works once, so tabs renew one after the other.
 */
export function createTokenStore(anonymous: Client): TokenStore {
  const listeners = new Set<() => void>();
  let live: Live | undefined;
  let renewal: Promise<string | undefined> | undefined;
  writeStored(FORMER_REFRESH_TOKEN, null);

  const notifyListeners = () => {
    for (const listener of listeners) listener();
  };

  const isSignedIn = () => readStored(SESSION_MARKER) === BEGUN || live !== undefined;

  function take({ accessToken, expiresIn }: Tokens): void {
    const usableSeconds = Math.max(expiresIn - RENEW_AHEAD_SECONDS, expiresIn * 0.75);
    live = {
      header: `Bearer ${accessToken}`,
      renewAtMs: performance.now() + usableSeconds * 1000,
    };
    writeStored(SESSION_MARKER, BEGUN);
  }

  function clear(marker: typeof ENDED | null): void {
    live = undefined;
    writeStored(SESSION_MARKER, marker);
    notifyListeners();
  }

  async function freshHeader(): Promise<string | undefined> {
    if (!isSignedIn()) return undefined;
    try {
      take(await anonymous.refreshToken({ body: {} }));
      return live?.header;
    } catch (error) {
      if (!isOver(error)) throw error;
      clear(ENDED);
      return undefined;
    }
  }

  function renewed(): Promise<string | undefined> {
    renewal ??= withTabLock(SESSION_MARKER, freshHeader).finally(() => {
      renewal = undefined;
    });
    return renewal;
  }

  onStoredByOtherTab(SESSION_MARKER, (value) => {
    if (value === BEGUN) return;
    live = undefined;
    notifyListeners();
  });

  return {
    isSignedIn,
    begin(tokens) {
      take(tokens);
      notifyListeners();
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
      clear(null);
      if (hadSession) await anonymous.revokeToken({ body: {} });
    },
  };
}

/** The server ended the session, or the cookie is missing. */
function isOver(error: unknown): boolean {
  return error instanceof FieldwatchError && (error.status === 401 || error.status === 400);
}
