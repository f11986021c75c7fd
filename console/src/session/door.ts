import { type Client, createClient } from '@fieldwatch/client';
import { createTokenKeeper } from './tokens.ts';

/** The way in to a service, and the client of who has come in. */
export interface Door {
  readonly client: Client;
  /** True when a session is kept; whether the service still honours it, a call will tell. */
  isSignedIn(): boolean;
  /** Told when somebody comes in or goes, here or in another tab. */
  onChange(listener: () => void): () => void;
  signIn(email: string, password: string): Promise<void>;
  /** Sets the first password of an invited user, and signs in. */
  redeemInvitation(token: string, password: string): Promise<void>;
}

export function openDoor(baseUrl: string): Door {
  const anonymous = createClient({ baseUrl });
  const keeper = createTokenKeeper(anonymous);
  return {
    client: createClient({ baseUrl, credentials: { authorizer: keeper } }),
    isSignedIn: keeper.isSignedIn,
    onChange: keeper.onChange,
    async signIn(email, password) {
      keeper.begin(await anonymous.createToken({ body: { email, password } }));
    },
    async redeemInvitation(token, password) {
      keeper.begin(await anonymous.redeemInvitation({ body: { token, password } }));
    },
  };
}
