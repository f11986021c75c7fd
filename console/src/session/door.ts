import { type Client, createClient } from '@fieldwatch/client';
import type { Operations, ReplyBody } from '@fieldwatch/contract';
import { leaveForProvider, returnFromProvider } from './provider.ts';
import { createTokenKeeper } from './tokens.ts';

export type SignInOptions = ReplyBody<Operations['retrieveSignInOptions']>;

/** The way in to a service, and the client of who has come in. */
export interface Door {
  readonly client: Client;
  /** What can be known before anybody has come in. */
  options(): Promise<SignInOptions>;
  /** True when a session is kept; whether the service still honours it, a call will tell. */
  isSignedIn(): boolean;
  /** Told when somebody comes in or goes, here or in another tab. */
  onChange(listener: () => void): () => void;
  signIn(email: string, password: string): Promise<void>;
  /** Leaves the page for the identity provider, which sends the browser back. */
  leaveForProvider(): Promise<void>;
  /** Takes what the identity provider sent back; answers where somebody wanted to go. */
  returnFromProvider(answer: URLSearchParams): Promise<string>;
  /** Accepts an invitation by its token and a password, and signs in. */
  redeemInvitation(token: string, password: string): Promise<void>;
}

export function openDoor(baseUrl: string): Door {
  const anonymous = createClient({ baseUrl });
  const keeper = createTokenKeeper(anonymous);
  let returning: Promise<string> | undefined;
  const comeBack = async (answer: URLSearchParams) => {
    const { tokens, returnTo } = await returnFromProvider(anonymous, answer);
    window.history.replaceState(null, '', returnTo);
    keeper.begin(tokens);
    return returnTo;
  };
  return {
    client: createClient({ baseUrl, credentials: { authorizer: keeper } }),
    options: () => anonymous.retrieveSignInOptions(),
    isSignedIn: keeper.isSignedIn,
    onChange: keeper.onChange,
    async signIn(email, password) {
      keeper.begin(
        await anonymous.createToken({ body: { email, password, refreshTokenIn: 'COOKIE' } }),
      );
    },
    leaveForProvider: () => leaveForProvider(anonymous),
    returnFromProvider(answer) {
      // A code is good once, however often a page asks while it is shown.
      returning ??= comeBack(answer);
      return returning;
    },
    async redeemInvitation(token, password) {
      keeper.begin(
        await anonymous.redeemInvitation({ body: { token, password, refreshTokenIn: 'COOKIE' } }),
      );
    },
  };
}
