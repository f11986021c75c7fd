import type { Client } from '@fieldwatch/client';
import type { Operations, ReplyBody } from '@fieldwatch/contract';

type Tokens = ReplyBody<Operations['createToken']>;

/** The `state` of the provider's reply belongs to no sign-in of this tab. */
export class InvalidStateError extends Error {
  override readonly name = 'StrangeReturnError';
}

/** The identity provider redirected back without a code. */
export class ProviderRefusalError extends Error {
  override readonly name = 'ProviderRefusalError';
}

/** The state of a sign-in while the browser is at the identity provider. */
interface PendingSignIn {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The page that the user wanted. */
  readonly returnTo: string;
}

const STORAGE_KEY = 'fieldwatch.provider-sign-in';

/** The path to which the identity provider redirects. */
export const CALLBACK_PATH = '/sign-in';

const redirectUri = () => `${window.location.origin}${CALLBACK_PATH}`;

/** Redirects to the identity provider. The state is in the tab's storage, since each tab has its own sign-in. */
export async function redirectToProvider(anonymous: Client): Promise<void> {
  const { pathname, search, hash } = window.location;
  const { authorizationUrl, ...pending } = await anonymous.beginProviderSignIn({
    query: { redirectUri: redirectUri() },
  });
  const returnTo = pathname === CALLBACK_PATH ? '/' : `${pathname}${search}${hash}`;
  const stored: PendingSignIn = { ...pending, returnTo };
  sessionStorage.setItem(STORAGE_KEY, JSON.stringify(stored));
  window.location.assign(authorizationUrl);
}

/** Removes the stored state, so that the same reply cannot be used twice. */
function takePendingSignIn(): PendingSignIn | null {
  const text = sessionStorage.getItem(STORAGE_KEY);
  sessionStorage.removeItem(STORAGE_KEY);
  return text === null ? null : (JSON.parse(text) as PendingSignIn);
}

/** Exchanges the provider's reply for tokens. */
export async function completeProviderSignIn(
  anonymous: Client,
  reply: URLSearchParams,
): Promise<{ readonly tokens: Tokens; readonly returnTo: string }> {
  const pending = takePendingSignIn();
  if (!pending || reply.get('state') !== pending.state) {
    throw new InvalidStateError('the reply belongs to no sign-in of this tab');
  }
  const code = reply.get('code');
  if (code === null) throw new ProviderRefusalError('the identity provider gave no code');
  const { nonce, codeVerifier, returnTo } = pending;
  const tokens = await anonymous.createTokenByProvider({
    body: { code, nonce, codeVerifier, redirectUri: redirectUri(), refreshTokenIn: 'COOKIE' },
  });
  return { tokens, returnTo };
}
