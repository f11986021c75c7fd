import * as client from 'openid-client';
import { type Clock, type Log, systemClock, withTimeout } from '../../runtime/index.ts';
import { generateSecret } from '../secrets/index.ts';
import { emailClaim, type IssuedIdentity, signInTime, subjectIn } from './claims.ts';
import { unauthenticated } from './credentials.ts';
import { type Discovery, issuerUnavailable, TIMEOUT_MS } from './discovery.ts';
import { claimsOf } from './issuer.ts';
import { guardedFetch, isSafeUrl } from './limited-fetch.ts';

/** The registration of this server as a client of the issuer. */
export interface ProviderSettings {
  readonly issuer: string;
  /** Takes an email for verified when the issuer does not say whether it is. */
  readonly trustsEmail: boolean;
  /** The name that users know it by. */
  readonly name: string;
  readonly clientId: string;
  /** Null for a public client. */
  readonly clientSecret: string | null;
}

/** The values that the client of a sign-in keeps until the browser returns. */
export interface Begun {
  readonly authorizationUrl: string;
  readonly state: string;
  readonly nonce: string;
  readonly codeVerifier: string;
}

export interface Returned {
  readonly code: string;
  readonly codeVerifier: string;
  readonly nonce: string;
  readonly redirectUri: string;
}

/** Sign-in at the issuer: authorization code with PKCE. The issuer's tokens do not leave this module. */
export interface Provider {
  readonly name: string;
  begin(redirectUri: string): Promise<Begun>;
  /** The identity that the code stands for; null when the code is invalid. */
  redeem(returned: Returned): Promise<IssuedIdentity | null>;
}

export interface ProviderDeps {
  readonly discovery: Discovery;
  readonly clock: Clock;
  readonly log: Log;
  /** How long the issuer may take in all for one sign-in. */
  readonly limitMs?: number;
}

const SIGN_IN_LIMIT_MS = 10_000;

export function createProvider(settings: ProviderSettings, deps: ProviderDeps): Provider {
  return {
    name: settings.name,
    async begin(redirectUri) {
      const { metadata } = await deps.discovery();
      if (!isSafeUrl(metadata.authorization_endpoint ?? '')) {
        throw issuerUnavailable(new Error('authorization_endpoint is no https URL'));
      }
      const [state, nonce, codeVerifier] = [generateSecret(), generateSecret(), generateSecret()];
      const configuration = configurationFor(metadata, settings, redirectUri, deps.clock.now());
      const url = client.buildAuthorizationUrl(configuration, {
        scope: 'openid email',
        redirect_uri: redirectUri,
        state,
        nonce,
        code_challenge: await client.calculatePKCECodeChallenge(codeVerifier),
        code_challenge_method: 'S256',
      });
      return { authorizationUrl: url.href, state, nonce, codeVerifier };
    },
    redeem: (returned) =>
      within(deps.limitMs ?? SIGN_IN_LIMIT_MS, redeem(returned, settings, deps)),
  };
}

/** Each request has a limit of its own; this one is for all of them together. */
function within<T>(limitMs: number, work: Promise<T>): Promise<T> {
  return withTimeout(limitMs, work, () =>
    issuerUnavailable(new Error(`no response within ${limitMs} ms`)),
  );
}

async function redeem(
  returned: Returned,
  settings: ProviderSettings,
  deps: ProviderDeps,
): Promise<IssuedIdentity | null> {
  const { issuer, clientId, trustsEmail, name } = settings;
  const now = deps.clock.now();
  const { metadata } = await deps.discovery();
  const configuration = configurationFor(metadata, settings, returned.redirectUri, now);
  const tokens = await tokensFor(configuration, returned, deps.log);
  if (!tokens?.id_token) return null;
  // The library trusts the connection to the token endpoint; the signature is verified besides.
  const audience = { issuer, audience: clientId };
  const claims = await claimsOf(tokens.id_token, audience, deps.discovery, now);
  if (!claims || (claims.azp !== undefined && claims.azp !== clientId)) return null;
  const subject = subjectIn(claims);
  if (subject === null) return null;
  const inToken = emailClaim(claims, trustsEmail);
  const isInToken = inToken.kind === 'VERIFIED' || inToken.kind === 'UNVERIFIED';
  const claim = isInToken
    ? inToken
    : emailClaim(await userInfo(configuration, tokens.access_token, subject), trustsEmail);
  if (claim.kind !== 'VERIFIED') {
    throw unauthenticated(`${name} names no verified email address for you.`);
  }
  return { issuer, subject, email: claim.email, signedInAt: signInTime(claims, now) };
}

/** The configuration of the requests of one sign-in, at the time of this server's clock. */
function configurationFor(
  metadata: client.ServerMetadata,
  settings: ProviderSettings,
  redirectUri: string,
  now: number,
): client.Configuration {
  const prove = clientAuthentication(settings, metadata);
  const configuration = new client.Configuration(
    metadata,
    settings.clientId,
    { [client.clockSkew]: Math.round((now - systemClock.now()) / 1000) },
    (server, registered, body, headers) => {
      prove(server, registered, body, headers);
      body.set('client_id', settings.clientId);
      // The library takes the address without its query, and the issuer compares it with the first.
      body.set('redirect_uri', redirectUri);
    },
  );
  configuration.timeout = TIMEOUT_MS / 1000;
  configuration[client.customFetch] = guardedFetch;
  // The guarded fetch decides: it allows http on this machine alone.
  client.allowInsecureRequests(configuration);
  return configuration;
}

/** A secret goes into the header, which every issuer must support, unless it says otherwise. */
function clientAuthentication(
  { clientSecret }: ProviderSettings,
  { token_endpoint_auth_methods_supported: methods = [] }: client.ServerMetadata,
): client.ClientAuth {
  if (clientSecret === null) return client.None();
  const isPostOnly =
    methods.includes('client_secret_post') && !methods.includes('client_secret_basic');
  return isPostOnly
    ? client.ClientSecretPost(clientSecret)
    : client.ClientSecretBasic(clientSecret);
}

/** An ID token of another sign-in, client, issuer or time. */
const TOKEN_FAULTS = ['OAUTH_JWT_CLAIM_COMPARISON_FAILED', 'OAUTH_JWT_TIMESTAMP_CHECK_FAILED'];
/** UserInfo about another subject, or about none. */
const USER_INFO_FAULTS = ['OAUTH_JSON_ATTRIBUTE_COMPARISON_FAILED', 'OAUTH_INVALID_RESPONSE'];

const hasCode = (error: unknown, codes: readonly string[]) =>
  error instanceof client.ClientError && codes.includes(error.code ?? '');

/** An ID token without a claim that it needs, such as the nonce of the sign-in. */
function lacksClaim(error: unknown): boolean {
  return hasCode(error, ['OAUTH_INVALID_RESPONSE']) && hasClaims((error as Error).cause);
}

function hasClaims(cause: unknown): boolean {
  return cause instanceof Error && 'claims' in Object(cause.cause);
}

/** The tokens that the issuer returns for the code; null when the code or its ID token is refused. */
async function tokensFor(
  configuration: client.Configuration,
  { code, codeVerifier, nonce, redirectUri }: Returned,
  log: Log,
) {
  const { issuer } = configuration.serverMetadata();
  const url = new URL(redirectUri);
  // There is one issuer only, so its answer cannot be confused with that of another.
  url.search = new URLSearchParams({ code, iss: issuer }).toString();
  const checks = { pkceCodeVerifier: codeVerifier, expectedNonce: nonce };
  try {
    return await client.authorizationCodeGrant(configuration, url, checks);
  } catch (error) {
    if (hasCode(error, TOKEN_FAULTS) || lacksClaim(error)) return null;
    const isRefusal = error instanceof client.ResponseBodyError;
    if (isRefusal && error.status === 400 && error.error === 'invalid_grant') return null;
    if (isRefusal || error instanceof client.WWWAuthenticateChallengeError) {
      const fields = { status: error.status, error: isRefusal ? error.error : undefined };
      log.error(fields, 'the identity provider does not accept our client id or secret');
    }
    throw issuerUnavailable(error);
  }
}

/**
 * The claims at UserInfo, where many issuers return the email alone. Empty when the issuer has no
 * UserInfo, or when the response is about another subject.
 */
async function userInfo(
  configuration: client.Configuration,
  accessToken: string,
  subject: string,
): Promise<Readonly<Record<string, unknown>>> {
  if (configuration.serverMetadata().userinfo_endpoint === undefined) return {};
  try {
    return await client.fetchUserInfo(configuration, accessToken, subject);
  } catch (error) {
    if (hasCode(error, USER_INFO_FAULTS)) return {};
    throw issuerUnavailable(error);
  }
}
