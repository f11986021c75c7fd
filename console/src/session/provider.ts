import type { Client } from '@fieldwatch/client';
import type { Operations, ReplyBody } from '@fieldwatch/contract';

type Tokens = ReplyBody<Operations['createToken']>;

/** What came back does not belong to a sign-in that this tab began. */
export class StrangeReturnError extends Error {
  override readonly name = 'StrangeReturnError';
}

/** The identity provider sent the browser back without a code. */
export class ProviderRefusalError extends Error {
  override readonly name = 'ProviderRefusalError';
}

/** What is kept in this tab while the browser is at the identity provider. */
interface Begun {
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
  /** The address at which somebody wanted to come in. */
  readonly returnTo: string;
}

const SLOT = 'fieldwatch.provider-sign-in';

/** Where the identity provider sends the browser back to. */
export const RETURN_PATH = '/sign-in';

const redirectUri = () => `${window.location.origin}${RETURN_PATH}`;

/** Leaves for the identity provider. Storage of the tab alone: another tab has its own sign-in. */
export async function leaveForProvider(anonymous: Client): Promise<void> {
  const { pathname, search, hash } = window.location;
  const { authorizationUrl, ...begun } = await anonymous.beginProviderSignIn({
    query: { redirectUri: redirectUri() },
  });
  const returnTo = pathname === RETURN_PATH ? '/' : `${pathname}${search}${hash}`;
  const kept: Begun = { ...begun, returnTo };
  sessionStorage.setItem(SLOT, JSON.stringify(kept));
  window.location.assign(authorizationUrl);
}

/** What was kept, once: a second return with the same answer is nobody's. */
function takeBegun(): Begun | null {
  const text = sessionStorage.getItem(SLOT);
  sessionStorage.removeItem(SLOT);
  return text === null ? null : (JSON.parse(text) as Begun);
}

/** Turns what the provider sent back into tokens of ours, and tells where to go on. */
export async function returnFromProvider(
  anonymous: Client,
  answer: URLSearchParams,
): Promise<{ readonly tokens: Tokens; readonly returnTo: string }> {
  const begun = takeBegun();
  if (!begun || answer.get('state') !== begun.state) {
    throw new StrangeReturnError('the answer belongs to no sign-in of this tab');
  }
  const code = answer.get('code');
  if (code === null) throw new ProviderRefusalError('the identity provider gave no code');
  const { nonce, codeVerifier, returnTo } = begun;
  const tokens = await anonymous.createTokenByProvider({
    body: { code, nonce, codeVerifier, redirectUri: redirectUri(), refreshTokenIn: 'COOKIE' },
  });
  return { tokens, returnTo };
}
