import type {
  Authenticate,
  CredentialChange,
  FindDeviceCaller,
  FindShareCaller,
} from '../../http/index.ts';
import { createKeyIdentity, type KeyIdentityDeps } from './by-key.ts';
import { createTokenIdentity, type TokenIdentityDeps } from './by-token.ts';
import { credentialsIn, unauthenticated } from './credentials.ts';

/** Call these once the change of a credential has committed, so that it acts at once. */
export interface Invalidate {
  apiKey(id: string): void;
  session(id: string): void;
  person(person: { readonly id: string }): void;
}

export interface Identity {
  readonly authenticate: Authenticate;
  readonly invalidate: Invalidate;
  /** Calls the listener when credentials changed; with null when any may have changed. */
  onCredentialChange(listener: CredentialListener): void;
  /** Another server changed credentials; null when that may have been missed. */
  changedElsewhere(change: CredentialChange | null): void;
  /** Resolves once the last uses were written down. */
  flush(): Promise<void>;
}

export type CredentialListener = (change: CredentialChange | null) => void;

interface IdentityDeps extends KeyIdentityDeps, TokenIdentityDeps {
  readonly findDeviceCaller: FindDeviceCaller;
  readonly findShareCaller: FindShareCaller;
}

export function createIdentity(deps: IdentityDeps): Identity {
  const byKey = createKeyIdentity(deps);
  const byToken = createTokenIdentity(deps);
  const listeners = new Set<CredentialListener>();

  function changed(change: CredentialChange | null): void {
    if (change?.kind === 'API_KEY') byKey.invalidate(change.id);
    if (change?.kind === 'SESSION') byToken.invalidateSession(change.id);
    if (change?.kind === 'USER') byToken.invalidatePerson(change.id);
    for (const listener of listeners) listener(change);
  }

  return {
    async authenticate(authorization, address, { isForDevices, isForShareLinks } = {}) {
      const credentials = credentialsIn(authorization);
      if (isForShareLinks) {
        if (credentials.kind === 'BEARER') return deps.findShareCaller(credentials.token, address);
        throw unauthenticated('This takes the secret of a share link as a Bearer token.');
      }
      if (credentials.kind === 'BEARER') return byToken.callerOf(credentials.token);
      const { keyId: id, secret } = credentials;
      const device = isForDevices ? await deps.findDeviceCaller({ id, secret }, address) : null;
      return device ?? byKey.callerOf(credentials, address);
    },
    invalidate: {
      apiKey: (id) => changed({ kind: 'API_KEY', id }),
      session: (id) => changed({ kind: 'SESSION', id }),
      person: ({ id }) => changed({ kind: 'USER', id }),
    },
    onCredentialChange: (listener) => listeners.add(listener),
    changedElsewhere: changed,
    async flush() {
      await Promise.all([byKey.flush(), byToken.flush()]);
    },
  };
}
