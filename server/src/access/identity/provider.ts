import { type Clock, type Log, withTimeout } from '../../runtime/index.ts';
import { digestOf, generateSecret } from '../secrets/index.ts';
import { emailClaim, type IssuedIdentity, signInTime, subjectIn } from './claims.ts';
import { unauthenticated } from './credentials.ts';
import {
  type Discovered,
  type Discovery,
  endpointOf,
  issuerUnavailable,
  optionalEndpointOf,
  TIMEOUT_MS,
} from './discovery.ts';
import { claimsOf } from './issuer.ts';
import { fetchLimited, type Posted, postForm } from './limited-fetch.ts';

/** How the issuer knows us when people sign in there. */
export interface ProviderSettings {
  readonly issuer: string;
  /** Takes an email for verified when the issuer does not say whether it is. */
  readonly trustsEmail: boolean;
  /** What people call it. */
  readonly name: string;
  readonly clientId: string;
  /** Null for what the issuer calls a public client. */
  readonly clientSecret: string | null;
}

/** What whoever begins a sign-in keeps until the browser is back. */
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

/** Sign-in at the issuer: authorization code with PKCE. The issuer's tokens do not leave here. */
export interface Provider {
  readonly name: string;
  begin(redirectUri: string): Promise<Begun>;
  /** Whom the code speaks for; null when it is not good. */
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
  const { discovery } = deps;
  return {
    name: settings.name,
    async begin(redirectUri) {
      const url = new URL(endpointOf(await discovery(), 'authorization_endpoint'));
      const [state, nonce, codeVerifier] = [generateSecret(), generateSecret(), generateSecret()];
      const parameters = {
        response_type: 'code',
        scope: 'openid email',
        client_id: settings.clientId,
        redirect_uri: redirectUri,
        state,
        nonce,
        code_challenge: digestOf(codeVerifier).toString('base64url'),
        code_challenge_method: 'S256',
      };
      for (const [name, value] of Object.entries(parameters)) url.searchParams.set(name, value);
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
  const tokens = await tokensFor(returned, settings, deps);
  const audience = { issuer, audience: clientId };
  const claims = tokens && (await claimsOf(tokens.idToken, audience, deps.discovery, now));
  // A code of somebody else's sign-in, slipped into this browser, carries another nonce.
  if (!claims || claims.nonce !== returned.nonce) return null;
  if (claims.azp !== undefined && claims.azp !== clientId) return null;
  const subject = subjectIn(claims);
  if (subject === null) return null;
  const inToken = emailClaim(claims, trustsEmail);
  const isInToken = inToken.kind === 'VERIFIED' || inToken.kind === 'UNVERIFIED';
  const claim = isInToken
    ? inToken
    : emailClaim(await userInfo(tokens.accessToken, subject, deps), trustsEmail);
  if (claim.kind !== 'VERIFIED') {
    throw unauthenticated(`${name} names no verified email address for you.`);
  }
  return { issuer, subject, email: claim.email, signedInAt: signInTime(claims, now) };
}

interface IssuedTokens {
  readonly idToken: string;
  readonly accessToken: string | null;
}

/** What the issuer gives for the code; null when it does not take the code. */
async function tokensFor(
  { code, codeVerifier, redirectUri }: Returned,
  settings: ProviderSettings,
  { discovery, log }: ProviderDeps,
): Promise<IssuedTokens | null> {
  const discovered = await discovery();
  const { fields, authorization } = clientProof(settings, discovered);
  const form = {
    grant_type: 'authorization_code',
    code,
    redirect_uri: redirectUri,
    code_verifier: codeVerifier,
    ...fields,
  };
  const url = endpointOf(discovered, 'token_endpoint');
  const answer = await postForm(url, form, authorization, AbortSignal.timeout(TIMEOUT_MS)).catch(
    (error: unknown) => {
      throw issuerUnavailable(error);
    },
  );
  return tokensIn(answer, log);
}

function tokensIn({ status, body }: Posted, log: Log): IssuedTokens | null {
  const { error, id_token: idToken, access_token: accessToken } = recordOf(body);
  if (status === 200 && typeof idToken === 'string') {
    return { idToken, accessToken: typeof accessToken === 'string' ? accessToken : null };
  }
  if (status === 400 && error === 'invalid_grant') return null;
  log.error({ status, error }, 'the identity provider does not take our client id or secret');
  throw issuerUnavailable(new Error(`the token endpoint answered ${status}`));
}

/**
 * What the issuer tells at UserInfo, where many give the email alone. Empty when it has no UserInfo,
 * or when the answer is about another subject.
 */
async function userInfo(
  accessToken: string | null,
  subject: string,
  { discovery }: ProviderDeps,
): Promise<Record<string, unknown>> {
  const url = optionalEndpointOf(await discovery(), 'userinfo_endpoint');
  if (url === null || accessToken === null) return {};
  try {
    const signal = AbortSignal.timeout(TIMEOUT_MS);
    const response = await fetchLimited(url, signal, `Bearer ${accessToken}`);
    const claims = recordOf(await response.json());
    return claims.sub === subject ? claims : {};
  } catch (error) {
    throw issuerUnavailable(error);
  }
}

function recordOf(value: unknown): Record<string, unknown> {
  return Object(value) as Record<string, unknown>;
}

/** A secret goes into the header, which every issuer must take, unless it says otherwise. */
function clientProof(
  { clientId, clientSecret }: ProviderSettings,
  { document }: Discovered,
): { fields: Record<string, string>; authorization: string | null } {
  const methods: unknown = document.token_endpoint_auth_methods_supported;
  const takes = (method: string) => Array.isArray(methods) && methods.includes(method);
  const fields = { client_id: clientId };
  if (clientSecret === null) return { fields, authorization: null };
  if (takes('client_secret_post') && !takes('client_secret_basic')) {
    return { fields: { ...fields, client_secret: clientSecret }, authorization: null };
  }
  const pair = [clientId, clientSecret].map(encodeURIComponent).join(':');
  return { fields, authorization: `Basic ${Buffer.from(pair).toString('base64')}` };
}
