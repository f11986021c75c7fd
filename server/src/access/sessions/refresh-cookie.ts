import type { Operations, ReplyBody } from '@fieldwatch/contract';
import type { Browser, SetCookie } from '../../http/index.ts';
import { invalid, type Keyring } from '../../runtime/index.ts';
import { REFRESH_LIVES_MS } from './refresh.ts';

/** Where a refresh token is: in the body, or in a cookie that scripts cannot read. */
export type TokenForm = 'BODY' | 'COOKIE';

type Tokens = ReplyBody<Operations['createToken']>;

/** The cookie that holds a browser's refresh token. */
export interface RefreshCookie {
  /** The form that a sign-in asks for; fails when a cookie cannot be set. */
  formOf(asked: { readonly refreshTokenIn?: TokenForm }, browser: Browser): TokenForm;
  /** The refresh token that a request presents; fails when there is none. */
  presented(
    body: { readonly refreshToken?: string },
    browser: Browser,
  ): { readonly refreshToken: string; readonly form: TokenForm };
  /** Gives tokens out in this form; in a cookie the refresh token is in no body. */
  answer(
    tokens: Tokens,
    form: TokenForm,
    browser: Browser,
  ): { readonly body: Tokens; readonly cookie?: SetCookie };
  /** Deletes the cookie. */
  cleared(browser: Browser): SetCookie;
}

const PATH = '/auth/v1';

/** Cookies are shared across ports, so the name distinguishes installations on one host. */
export function createRefreshCookie(keyring: Keyring): RefreshCookie {
  const name = `fieldwatch-${keyring.derive('refresh-cookie').toString('hex').slice(0, 8)}`;
  const cookie = (value: string, maxAgeSeconds: number, { isEncrypted }: Browser): SetCookie => ({
    name,
    value,
    maxAgeSeconds,
    path: PATH,
    isEncrypted,
  });
  return {
    formOf({ refreshTokenIn = 'BODY' }, { isOwnPage }) {
      if (refreshTokenIn === 'BODY' || isOwnPage) return refreshTokenIn;
      throw invalid({
        path: 'refreshTokenIn',
        message: 'can be COOKIE only in a request of a page of this server',
      });
    },
    presented({ refreshToken }, browser) {
      if (refreshToken !== undefined) return { refreshToken, form: 'BODY' };
      const kept = browser.cookie(name);
      if (kept !== null) return { refreshToken: kept, form: 'COOKIE' };
      throw invalid({ path: 'refreshToken', message: 'is required where no cookie holds it' });
    },
    answer(tokens, form, browser) {
      if (form === 'BODY') return { body: tokens };
      return {
        body: { ...tokens, refreshToken: '' },
        cookie: cookie(tokens.refreshToken, REFRESH_LIVES_MS / 1000, browser),
      };
    },
    cleared: (browser) => cookie('', 0, browser),
  };
}
