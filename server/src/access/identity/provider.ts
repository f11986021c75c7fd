import type { Clock, Log } from '../../runtime/index.ts';
import { digestOf, generateSecret } from '../secrets/index.ts';
import { unauthenticated } from './credentials.ts';
import {
  type Discovered,
  type Discovery,
  endpointOf,
  issuerUnavailable,
  TIMEOUT_MS,
} from './discovery.ts';
import { claimsOf, type IssuedBearer, issuedBearer } from './issuer.ts';
import { type Posted, postForm } from './limited-fetch.ts';

/** How the issuer knows us when people sign in there. */
export interface ProviderSettings {
  readonly issuer: string;
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
  redeem(returned: Returned): Promise<IssuedBearer | null>;
}

export interface ProviderDeps {
  readonly discovery: Discovery;
  readonly clock: Clock;
  readonly log: Log;
}

export function createProvider(settings: ProviderSettings, deps: ProviderDeps): Provider {
  const { discovery, clock } = deps;
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
    async redeem(returned) {
      const token = await idTokenFor(returned, settings, deps);
      const audience = { issuer: settings.issuer, audience: settings.clientId };
      const claims = token && (await claimsOf(token, audience, discovery, clock.now()));
      // A code of somebody else's sign-in, slipped into this browser, carries another nonce.
      if (!claims || claims.nonce !== returned.nonce) return null;
      if (claims.azp !== undefined && claims.azp !== settings.clientId) return null;
      const bearer = issuedBearer(claims, clock.now());
      if (!bearer) throw unauthenticated(`${settings.name} names no verified email of yours.`);
      return bearer;
    },
  };
}

/** The issuer's word on who signed in, for the code; null when it does not take the code. */
async function idTokenFor(
  { code, codeVerifier, redirectUri }: Returned,
  settings: ProviderSettings,
  { discovery, log }: ProviderDeps,
): Promise<string | null> {
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
  return idTokenIn(answer, log);
}

function idTokenIn({ status, body }: Posted, log: Log): string | null {
  const { error, id_token: token } = Object(body) as Record<string, unknown>;
  if (status === 200 && typeof token === 'string') return token;
  if (status === 400 && error === 'invalid_grant') return null;
  log.error({ status, error }, 'the identity provider does not take our client id or secret');
  throw issuerUnavailable(new Error(`the token endpoint answered ${status}`));
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
