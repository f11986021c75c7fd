import type { Authenticate } from '../../http/index.ts';
import { createKeyIdentity, type KeyIdentityDeps } from './by-key.ts';
import { createTokenIdentity, type TokenIdentityDeps } from './by-token.ts';
import { credentialsIn } from './credentials.ts';

/** Call these once the change of a credential has committed, so that it acts at once. */
export interface Forget {
  apiKey(id: string): void;
  session(id: string): void;
  person(person: { readonly id: string; readonly email: string }): void;
}

export interface Identity {
  readonly authenticate: Authenticate;
  readonly forget: Forget;
  /** Resolves once the last uses were written down. */
  settle(): Promise<void>;
}

export function createIdentity(deps: KeyIdentityDeps & TokenIdentityDeps): Identity {
  const byKey = createKeyIdentity(deps);
  const byToken = createTokenIdentity(deps);
  return {
    async authenticate(authorization, address) {
      const credentials = credentialsIn(authorization);
      return credentials.kind === 'BASIC'
        ? byKey.callerOf(credentials, address)
        : byToken.callerOf(credentials.token);
    },
    forget: {
      apiKey: byKey.forget,
      session: byToken.forgetSession,
      person: byToken.forgetPerson,
    },
    async settle() {
      await Promise.all([byKey.settle(), byToken.settle()]);
    },
  };
}
