import type { Authenticate, FindDeviceCaller, RecordChanges, Serve } from '../http/index.ts';
import type { Clock, Keyring, Log, NewId } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import { createApiKeys } from './api-keys/index.ts';
import { createAudit } from './audit/index.ts';
import { type BootstrapResult, type BootstrapSettings, bootstrap } from './bootstrap.ts';
import {
  createDiscovery,
  createIdentity,
  createIssuer,
  createProvider,
  type IssuerSettings,
  type ProviderSettings,
} from './identity/index.ts';
import { createJanitor } from './janitor/index.ts';
import { createOrganizations } from './organizations/index.ts';
import { accessRoutes } from './routes.ts';
import { createAccessTokens, createSecrets, type Secrets } from './secrets/index.ts';
import {
  createProviderSignIn,
  createSessions,
  createSignIn,
  createSignInLimits,
  type SignInLimitSettings,
} from './sign-in/index.ts';
import { createUsers } from './users/index.ts';

export interface AccessLimits {
  readonly signIn: SignInLimitSettings;
  /** Failures a minute of one API key id from one address. */
  readonly keyFailuresPerMinute: number;
}

export const ACCESS_LIMITS: AccessLimits = {
  signIn: { failuresPerAccount: 10, failuresPerAddress: 50, windowMs: 15 * 60_000 },
  keyFailuresPerMinute: 600,
};

export interface AccessDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly oidc: OidcSettings | null;
  /** Told to whoever asks how to sign in. */
  readonly isDemo?: boolean;
  /** Knows the credentials of Devices, where there are any. */
  readonly findDeviceCaller?: FindDeviceCaller;
  readonly limits?: AccessLimits;
  readonly secrets?: Secrets;
}

/** An issuer whose tokens are accepted, and where people may sign in if it knows us as a client. */
export interface OidcSettings extends IssuerSettings {
  readonly client: Omit<ProviderSettings, 'issuer' | 'trustsEmail'> | null;
}

/** Who may do what, and the log of what they did. */
export interface Access {
  readonly authenticate: Authenticate;
  readonly recordChanges: RecordChanges;
  routes(serve: Serve): void;
  bootstrap(settings: BootstrapSettings): Promise<BootstrapResult>;
  /** Removes what has run out; `start` does it now and then. */
  sweep(now: number): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

export function createAccess(deps: AccessDeps): Access {
  const { storage, clock, newId, log, keyring, oidc } = deps;
  const limits = deps.limits ?? ACCESS_LIMITS;
  const secrets = deps.secrets ?? createSecrets();
  const accessTokens = createAccessTokens(keyring, clock, newId);
  const audit = createAudit({ storage, newId });
  const janitor = createJanitor({ storage, clock, log });
  const discovery = oidc && createDiscovery(oidc.issuer, clock);
  const identity = createIdentity({
    storage,
    clock,
    log,
    secrets,
    accessTokens,
    issuer: oidc && discovery && { url: oidc.issuer, tokens: createIssuer(oidc, discovery, clock) },
    keyFailuresPerMinute: limits.keyFailuresPerMinute,
    findDeviceCaller: deps.findDeviceCaller ?? (async () => null),
  });
  const { forget } = identity;
  const sessions = createSessions(accessTokens, newId);
  const signInLimits = createSignInLimits(clock, limits.signIn);
  const handlers = {
    audit,
    providerSignIn: createProviderSignIn({
      provider:
        oidc?.client && discovery
          ? createProvider({ ...oidc, ...oidc.client }, { discovery, clock, log })
          : null,
      isDemo: deps.isDemo ?? false,
      sessions,
      limits: signInLimits,
    }),
    signIn: createSignIn({
      storage,
      log,
      secrets,
      forget,
      audit,
      sessions,
      limits: signInLimits,
    }),
    organizations: createOrganizations(storage),
    users: createUsers({ storage, newId, secrets, forget }),
    apiKeys: createApiKeys({ storage, newId, forget }),
  };
  return {
    authenticate: identity.authenticate,
    recordChanges: audit.recordChanges,
    routes: (serve) => accessRoutes(serve, handlers),
    bootstrap: (settings) => bootstrap({ storage, clock, newId, secrets, audit }, settings),
    sweep: janitor.sweep,
    start: janitor.start,
    async stop() {
      await janitor.stop();
      await identity.settle();
    },
  };
}
