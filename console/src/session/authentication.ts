import { type Client, createClient } from '@fieldwatch/client';
import type { Operations, ReplyBody } from '@fieldwatch/contract';
import { completeProviderSignIn, redirectToProvider } from './provider.ts';
import { createTokenStore, hasSessionEnded } from './token-store.ts';

export type SignInOptions = ReplyBody<Operations['retrieveSignInOptions']>;

/** Sign-in to the server, and the API client of the signed-in user. */
export interface Authentication {
  readonly client: Client;
  /** The sign-in options, readable without a session. */
  options(): Promise<SignInOptions>;
  /** True when the browser has a session; the server may have ended it already. */
  isSignedIn(): boolean;
  /** True when the last session did not end by a sign-out. */
  hasEnded(): boolean;
  /** Calls the listener on sign-in and sign-out, also in another tab. */
  onChange(listener: () => void): () => void;
  signIn(email: string, password: string): Promise<void>;
  /** Leaves the page for the identity provider, which redirects back. */
  redirectToProvider(): Promise<void>;
  /** Completes the sign-in with the provider's reply; returns the page that the user wanted. */
  completeProviderSignIn(reply: URLSearchParams): Promise<string>;
  /** Accepts an invitation by its token and a password, and signs in. */
  redeemInvitation(token: string, password: string): Promise<void>;
}

export function createAuthentication(baseUrl: string): Authentication {
  const anonymous = createClient({ baseUrl });
  const tokenStore = createTokenStore(anonymous);
  let completion: Promise<string> | undefined;
  const complete = async (reply: URLSearchParams) => {
    const { tokens, returnTo } = await completeProviderSignIn(anonymous, reply);
    window.history.replaceState(null, '', returnTo);
    tokenStore.begin(tokens);
    return returnTo;
  };
  return {
    client: createClient({ baseUrl, credentials: { authorizer: tokenStore } }),
    options: () => anonymous.retrieveSignInOptions(),
    isSignedIn: tokenStore.isSignedIn,
    hasEnded: hasSessionEnded,
    onChange: tokenStore.onChange,
    async signIn(email, password) {
      tokenStore.begin(
        await anonymous.createToken({ body: { email, password, refreshTokenIn: 'COOKIE' } }),
      );
    },
    redirectToProvider: () => redirectToProvider(anonymous),
    completeProviderSignIn(reply) {
      // An authorization code works once, however often the page renders.
      completion ??= complete(reply);
      return completion;
    },
    async redeemInvitation(token, password) {
      tokenStore.begin(
        await anonymous.redeemInvitation({ body: { token, password, refreshTokenIn: 'COOKIE' } }),
      );
    },
  };
}
