import type { Authenticate, FindDeviceCaller } from '../../http/index.ts';
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

interface IdentityDeps extends KeyIdentityDeps, TokenIdentityDeps {
  readonly findDeviceCaller: FindDeviceCaller;
}

export function createIdentity(deps: IdentityDeps): Identity {
  const byKey = createKeyIdentity(deps);
  const byToken = createTokenIdentity(deps);
  return {
    async authenticate(authorization, address, { isForDevices } = { isForDevices: false }) {
      const credentials = credentialsIn(authorization);
      if (credentials.kind === 'BEARER') return byToken.callerOf(credentials.token);
      const { keyId: id, secret } = credentials;
      const device = isForDevices ? await deps.findDeviceCaller({ id, secret }, address) : null;
      return device ?? byKey.callerOf(credentials, address);
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
