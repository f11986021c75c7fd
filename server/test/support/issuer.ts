import { createHash, randomUUID } from 'node:crypto';
import { createServer, type IncomingMessage, type ServerResponse } from 'node:http';
import type { AddressInfo } from 'node:net';
import { operations } from '@fieldwatch/contract';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import type { AccessRig } from './access.ts';

export const CLIENT_ID = 'fieldwatch-console';
const ACCESS_TOKEN = 'an access token of the issuer';

/** What the issuer does at the next sign-in, and how it knows its client. */
export interface IssuerConduct {
  /** Claims besides the usual ones; null refuses whoever wants to sign in. */
  claims: JWTPayload | null;
  /** Put in place of the nonce that the sign-in began with. */
  nonce: string | null;
  clientSecret: string | null;
  authMethods: readonly string[];
  /** Every page answers 500. */
  isBroken: boolean;
  /** What UserInfo answers; null when the issuer has none. */
  userInfo: Record<string, unknown> | null;
  /** Metadata of the discovery document besides the usual. */
  metadata: Record<string, unknown>;
  /** Pages that are asked for and never answered. */
  silentPaths: readonly string[];
}

export type LocalIssuer = Awaited<ReturnType<typeof startIssuer>>;

/** A small OpenID Connect issuer on loopback whose answers a test can change. */
export async function startIssuer(nowMs: () => number) {
  const keys = await generateKeyPair('RS256');
  const published = [{ ...(await exportJWK(keys.publicKey)), kid: 'one', alg: 'RS256' }];
  const conduct: IssuerConduct = {
    claims: {},
    nonce: null,
    clientSecret: null,
    authMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    isBroken: false,
    userInfo: null,
    metadata: {},
    silentPaths: [],
  };
  const codes = new Map<string, URLSearchParams>();
  const hits: string[] = [];
  const json = (response: ServerResponse, status: number, body: object) =>
    response.writeHead(status, { 'content-type': 'application/json' }).end(JSON.stringify(body));

  const sign = (claims: JWTPayload) =>
    new SignJWT(claims).setProtectedHeader({ alg: 'RS256', kid: 'one' }).sign(keys.privateKey);

  function authorize(asked: URLSearchParams, response: ServerResponse) {
    const back = new URL(asked.get('redirect_uri') ?? '');
    back.searchParams.set('state', asked.get('state') ?? '');
    if (conduct.claims === null) {
      back.searchParams.set('error', 'access_denied');
    } else {
      const code = randomUUID();
      codes.set(code, asked);
      back.searchParams.set('code', code);
    }
    response.writeHead(302, { location: back.href }).end();
  }

  async function token(request: IncomingMessage, response: ServerResponse) {
    let text = '';
    for await (const chunk of request) text += chunk;
    const form = new URLSearchParams(text);
    if (!isClient(conduct, form, request.headers.authorization)) {
      json(response, 401, { error: 'invalid_client' });
      return;
    }
    const asked = codes.get(form.get('code') ?? '');
    codes.delete(form.get('code') ?? '');
    if (!asked || !isProven(asked, form)) {
      json(response, 400, { error: 'invalid_grant' });
      return;
    }
    const now = Math.floor(nowMs() / 1000);
    const claims = {
      ...{ iss: url, aud: CLIENT_ID, sub: 'someone', iat: now, exp: now + 300 },
      nonce: conduct.nonce ?? asked.get('nonce'),
      ...conduct.claims,
    };
    json(response, 200, {
      token_type: 'Bearer',
      access_token: ACCESS_TOKEN,
      id_token: await sign(claims),
    });
  }

  function userInfo({ headers }: IncomingMessage, response: ServerResponse) {
    const isGood = headers.authorization === `Bearer ${ACCESS_TOKEN}` && conduct.userInfo !== null;
    if (isGood) json(response, 200, { ...conduct.userInfo });
    else response.writeHead(401).end();
  }

  const server = createServer((request, response) => {
    hits.push(request.url ?? '');
    const { pathname, searchParams } = new URL(request.url ?? '', url);
    if (conduct.silentPaths.includes(pathname)) return;
    if (conduct.isBroken) response.writeHead(500).end();
    else if (pathname === '/authorize') authorize(searchParams, response);
    else if (pathname === '/token') void token(request, response);
    else if (pathname === '/userinfo') userInfo(request, response);
    else if (pathname === '/keys') json(response, 200, { keys: published });
    else if (pathname === '/large') json(response, 200, { text: 'x'.repeat(300 * 1024) });
    else if (pathname === '/.well-known/openid-configuration') {
      json(response, 200, {
        issuer: url,
        jwks_uri: `${url}/keys`,
        authorization_endpoint: `${url}/authorize`,
        token_endpoint: `${url}/token`,
        ...(conduct.userInfo ? { userinfo_endpoint: `${url}/userinfo` } : {}),
        token_endpoint_auth_methods_supported: conduct.authMethods,
        ...conduct.metadata,
      });
    } else response.writeHead(404).end();
  });
  await new Promise<void>((resolve) => server.listen(0, '127.0.0.1', resolve));
  const url = `http://127.0.0.1:${(server.address() as AddressInfo).port}`;
  return {
    url,
    keys,
    published,
    hits,
    conduct,
    /** Breaks off whatever is asked and not answered yet. */
    hangUp: () => server.closeAllConnections(),
    stop: () =>
      new Promise<void>((resolve) => {
        server.closeAllConnections();
        server.close(() => resolve());
      }),
  };
}

/** Goes to the issuer as a browser would; returns what comes back, with what was kept. */
export async function visitIssuer(access: AccessRig, redirectUri: string) {
  const { authorizationUrl, state, ...kept } = await access.call(operations.beginProviderSignIn, {
    query: { redirectUri },
  });
  const { headers } = await fetch(authorizationUrl, { redirect: 'manual' });
  const back = new URL(headers.get('location') ?? '').searchParams;
  if (back.get('state') !== state) throw new Error('the issuer answers another sign-in');
  return { ...kept, redirectUri, code: back.get('code') ?? '' };
}

function isClient(
  { clientSecret, authMethods }: IssuerConduct,
  form: URLSearchParams,
  authorization: string | undefined,
): boolean {
  if (form.get('client_id') !== CLIENT_ID) return false;
  if (clientSecret === null) return true;
  const shown = Buffer.from(authorization?.replace(/^Basic /, '') ?? '', 'base64').toString();
  const isRight = shown.split(':').map(formDecoded).join('\n') === `${CLIENT_ID}\n${clientSecret}`;
  if (authMethods.includes('client_secret_basic') && isRight) return true;
  return authMethods.includes('client_secret_post') && form.get('client_secret') === clientSecret;
}

/** RFC 6749 encodes both parts of the header as in a form. */
function formDecoded(text: string): string {
  return decodeURIComponent(text.replaceAll('+', ' '));
}

/** Whether the one who brings the code is the one who began. */
function isProven(asked: URLSearchParams, form: URLSearchParams): boolean {
  const verifier = form.get('code_verifier') ?? '';
  const challenge = createHash('sha256').update(verifier).digest('base64url');
  return (
    asked.get('code_challenge_method') === 'S256' &&
    asked.get('code_challenge') === challenge &&
    asked.get('redirect_uri') === form.get('redirect_uri')
  );
}
