import type {
  Authenticate,
  FindDeviceCaller,
  RecordChanges,
  RecordRefusal,
  Serve,
} from '../http/index.ts';
import type { Clock, Keyring, Log, NewId } from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import { createApiKeys } from './api-keys/index.ts';
import { createAudit, createRefusals } from './audit/index.ts';
import { type BootstrapResult, type BootstrapSettings, bootstrap } from './bootstrap.ts';
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
import { createJanitor } from './janitor/index.ts';
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
  /** Told to whoever asks how to sign in. */
  readonly isDemo?: boolean;
  /** Knows the credentials of Devices, where there are any. */
  readonly findDeviceCaller?: FindDeviceCaller;
  readonly limits?: AccessLimits;
  /** What a password hash costs, where not as recommended. */
  readonly passwordCost?: PasswordCost | undefined;
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
  readonly recordRefusal: RecordRefusal;
  /** Writes the refusals that were counted to the audit log; `start` does it each minute. */
  flushRefusals(): Promise<void>;
  /** Calls the listener when credentials changed; with null when any may have changed. */
  onCredentialChange(listener: CredentialListener): void;
  /** Hears of credentials that other servers on this database changed. */
  readonly credentialNotices: CredentialNotices;
  routes(serve: Serve): void;
  bootstrap(settings: BootstrapSettings): Promise<BootstrapResult>;
  /** Removes what has run out; `start` does it now and then. */
  sweep(now: number): Promise<number>;
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
  const janitor = createJanitor({ storage, clock, log });
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
  });
  const { forget } = identity;
  const shared = { storage, newId, log, secrets, forget, audit };
  const sessions = createSessions(accessTokens, newId, createRefreshCookie(keyring));
  const signInLimits = createSignInLimits(clock, limits.signIn, refusals.signInRefused);
  const handlers = {
    audit,
    ...signInHandlers({ ...shared, sessions, limits: signInLimits }, provider, deps.isDemo),
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
    credentialNotices: credentialNoticesFor(identity),
    routes: (serve) => accessRoutes(serve, handlers),
    bootstrap: (settings) => bootstrap({ storage, clock, newId, secrets, audit }, settings),
    sweep: janitor.sweep,
    start() {
      janitor.start();
      refusals.start();
    },
    async stop() {
      await janitor.stop();
      await refusals.stop();
      await identity.settle();
    },
  };
}

/** The channel of `notify_api_key_changed` and its like, and what to do with its payloads. */
export interface CredentialNotices {
  readonly channel: string;
  onNotice(text: string): void;
  onGap(): void;
}

const CHANGE_KINDS = ['API_KEY', 'USER', 'SESSION'] as const;

function credentialNoticesFor({ changedElsewhere }: Identity): CredentialNotices {
  return {
    channel: 'fieldwatch_credentials',
    onNotice(text) {
      const end = text.indexOf('/');
      const kind = CHANGE_KINDS.find((one) => one === text.slice(0, end));
      if (kind) changedElsewhere({ kind, id: text.slice(end + 1) });
    },
    onGap: () => changedElsewhere(null),
  };
}

/** What takes tokens of the issuer, and what signs people in there; null what is not configured. */
function createOidc({ oidc, clock, log }: AccessDeps) {
  if (!oidc) return { issuer: null, provider: null };
  const discovery = createDiscovery(oidc.issuer, clock, log);
  return {
    issuer: { url: oidc.issuer, tokens: createIssuer(oidc, discovery, clock) },
    provider: oidc.client && createProvider({ ...oidc, ...oidc.client }, { discovery, clock, log }),
  };
}

type SignInParts = SignInDeps & RefreshTokensDeps;

function signInHandlers(parts: SignInParts, provider: Provider | null, isDemo = false) {
  return {
    providerSignIn: createProviderSignIn({ ...parts, provider, isDemo }),
    signIn: createSignIn(parts),
    refreshTokens: createRefreshTokens(parts),
    redeemInvitation: createRedeemInvitation(parts),
    invitations: createInvitations(parts),
    ownSessions: createOwnSessions(parts),
  };
}
