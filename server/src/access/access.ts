import type { MapTiles } from '@fieldwatch/contract';
import type {
  Authenticate,
  FindDeviceCaller,
  FindShareCaller,
  RecordChanges,
  RecordRefusal,
  Serve,
} from '../http/index.ts';
import { type Clock, Failure, type Keyring, type Log, type NewId } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import { createApiKeys } from './api-keys/index.ts';
import { createAudit, createRefusals } from './audit/index.ts';
import { type BootstrapResult, type BootstrapSettings, bootstrap } from './bootstrap.ts';
import { createExpiredRowCleanup } from './expired-rows/index.ts';
import {
  type CredentialListener,
  createDiscovery,
  createIdentity,
  createIssuer,
  createProvider,
  type Identity,
  type IssuerSettings,
  type KeyLimits,
  type Provider,
  type ProviderSettings,
} from './identity/index.ts';
import { createInvitations, createRedeemInvitation } from './invitations/index.ts';
import { createOrganizations } from './organizations/index.ts';
import { accessRoutes } from './routes.ts';
import {
  createAccessTokens,
  createSecrets,
  createSlowHash,
  HASH_LIMITS,
  type PasswordCost,
  type Secrets,
} from './secrets/index.ts';
import { createOwnSessions, createRefreshCookie, createSessions } from './sessions/index.ts';
import {
  createProviderSignIn,
  createRefreshTokens,
  createSignIn,
  createSignInLimits,
  type RefreshTokensDeps,
  type SignInDeps,
  type SignInLimitSettings,
} from './sign-in/index.ts';
import { createUsers } from './users/index.ts';

export interface AccessLimits {
  readonly signIn: SignInLimitSettings;
  readonly keys: KeyLimits;
}

/** Together they leave room in the queue of password hashes for users who are signed in. */
export const ACCESS_LIMITS: AccessLimits = {
  signIn: {
    failuresPerAccountAndAddress: 10,
    failuresPerAccount: 500,
    failuresPerAddress: 50,
    unknownTokensPerAddress: 600,
    windowMs: 15 * 60_000,
    maxConcurrentPerAddress: 8,
    maxConcurrent: 32,
  },
  keys: {
    keyFailuresPerMinute: 600,
    addressFailuresPerMinute: 6_000,
    maxConcurrentPerAddress: 8,
    maxConcurrent: 16,
  },
};

export interface AccessDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly newId: NewId;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly oidc: OidcSettings | null;
  /** Shown to clients that ask how to sign in. */
  readonly isDemo?: boolean;
  readonly mapTiles?: MapTiles | null;
  /** Finds Devices by their credentials, where there are any. */
  readonly findDeviceCaller?: FindDeviceCaller;
  /** Finds share links by their secrets, where there are any. */
  readonly findShareCaller?: FindShareCaller;
  readonly limits?: AccessLimits;
  /** The cost of a password hash; the recommended one by default. */
  readonly passwordCost?: PasswordCost | undefined;
  readonly secrets?: Secrets;
}

/** An issuer whose tokens are accepted, and where people may sign in if it knows us as a client. */
export interface OidcSettings extends IssuerSettings {
  readonly client: Omit<ProviderSettings, 'issuer' | 'trustsEmail'> | null;
}

/** Authentication, permissions, and the audit log. */
export interface Access {
  readonly authenticate: Authenticate;
  readonly recordChanges: RecordChanges;
  readonly recordRefusal: RecordRefusal;
  /** Writes counted refusals to the audit log; after `start` this happens every minute. */
  flushRefusals(): Promise<void>;
  /** Calls the listener when credentials changed; with null when any may have changed. */
  onCredentialChange(listener: CredentialListener): void;
  /** Handles changes of credentials by other servers on this database. */
  readonly credentialChanges: CredentialChanges;
  routes(serve: Serve): void;
  bootstrap(settings: BootstrapSettings): Promise<BootstrapResult>;
  /** Deletes expired rows; after `start` this happens every ten minutes. */
  deleteExpired(now: number): Promise<number>;
  start(): void;
  stop(): Promise<void>;
}

export function createAccess(deps: AccessDeps): Access {
  const { storage, clock, newId, log, keyring } = deps;
  const limits = deps.limits ?? ACCESS_LIMITS;
  const secrets = deps.secrets ?? createSecrets(createSlowHash(HASH_LIMITS, deps.passwordCost));
  const accessTokens = createAccessTokens(keyring, clock, newId);
  const audit = createAudit({ storage, newId });
  const refusals = createRefusals({ storage, clock, newId, log });
  const expiredRows = createExpiredRowCleanup({ storage, clock, log });
  const { issuer, provider } = createOidc(deps);
  const identity = createIdentity({
    storage,
    clock,
    log,
    secrets,
    accessTokens,
    issuer,
    keyLimits: limits.keys,
    onKeyFailure: refusals.keyRefused,
    findDeviceCaller: deps.findDeviceCaller ?? (async () => null),
    findShareCaller: deps.findShareCaller ?? refuseShareLinks,
  });
  const { invalidate } = identity;
  const shared = { storage, newId, log, secrets, invalidate, audit };
  const sessions = createSessions(accessTokens, newId, createRefreshCookie(keyring));
  const signInLimits = createSignInLimits(clock, limits.signIn, refusals.signInRefused);
  const handlers = {
    audit,
    ...signInHandlers({ ...shared, sessions, limits: signInLimits }, provider, deps),
    organizations: createOrganizations(storage),
    users: createUsers(shared),
    apiKeys: createApiKeys(shared),
  };
  return {
    authenticate: identity.authenticate,
    recordChanges: audit.recordChanges,
    recordRefusal: refusals.recordRefusal,
    flushRefusals: refusals.flush,
    onCredentialChange: identity.onCredentialChange,
    credentialChanges: credentialChangesFor(identity),
    routes: (serve) => accessRoutes(serve, handlers),
    bootstrap: (settings) => bootstrap({ storage, clock, newId, secrets, audit }, settings),
    deleteExpired: expiredRows.deleteExpired,
    start() {
      expiredRows.start();
      refusals.start();
    },
    async stop() {
      await expiredRows.stop();
      await refusals.stop();
      await identity.flush();
    },
  };
}

/** The channel of the triggers on API keys, users and sessions, and the handler of its payloads. */
export interface CredentialChanges {
  readonly channel: string;
  onNotification(text: string): void;
  onGap(): void;
}

const CHANGE_KINDS = ['API_KEY', 'USER', 'SESSION'] as const;

function credentialChangesFor({ changedElsewhere }: Identity): CredentialChanges {
  return {
    channel: 'fieldwatch_credentials',
    onNotification(text) {
      const end = text.indexOf('/');
      const kind = CHANGE_KINDS.find((one) => one === text.slice(0, end));
      if (kind) changedElsewhere({ kind, id: text.slice(end + 1) });
    },
    onGap: () => changedElsewhere(null),
  };
}

/** Verification of tokens of the issuer, and sign-in there; null where it is not configured. */
function createOidc({ oidc, clock, log }: AccessDeps) {
  if (!oidc) return { issuer: null, provider: null };
  const discovery = createDiscovery(oidc.issuer, clock, log);
  return {
    issuer: { url: oidc.issuer, tokens: createIssuer(oidc, discovery, clock) },
    provider: oidc.client && createProvider({ ...oidc, ...oidc.client }, { discovery, clock, log }),
  };
}

const refuseShareLinks: FindShareCaller = async () => {
  throw new Failure('UNAUTHENTICATED', 'The share link is unknown.');
};

type SignInHandlerDeps = SignInDeps & RefreshTokensDeps;

function signInHandlers(
  deps: SignInHandlerDeps,
  provider: Provider | null,
  { isDemo = false, mapTiles = null }: Pick<AccessDeps, 'isDemo' | 'mapTiles'>,
) {
  return {
    providerSignIn: createProviderSignIn({ ...deps, provider, isDemo, mapTiles }),
    signIn: createSignIn(deps),
    refreshTokens: createRefreshTokens(deps),
    redeemInvitation: createRedeemInvitation(deps),
    invitations: createInvitations(deps),
    ownSessions: createOwnSessions(deps),
  };
}
