import { operations } from '@fieldwatch/contract';
import type { JWTPayload } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AccessRig,
  bearerAuth,
  codeOf,
  createAccessRig,
  createOrganization,
  failureOf,
} from '../../../test/support/access.ts';
import {
  CLIENT_ID,
  type LocalIssuer,
  startIssuer,
  visitIssuer,
} from '../../../test/support/issuer.ts';

const EMAIL = 'Person@Example.com';
const VERIFIED = { email: EMAIL, email_verified: true };
const REDIRECT = 'http://console.example/sign-in';
const SECRET = 'a secret: of the client';

let issuer: LocalIssuer;
let rig: AccessRig;
let organizationId: string;

const oidcOf = (clientSecret: string | null) => ({
  issuer: issuer.url,
  audience: CLIENT_ID,
  trustsEmail: false,
  client: { name: 'Example ID', clientId: CLIENT_ID, clientSecret },
});

beforeAll(async () => {
  issuer = await startIssuer(() => rig.clock.now());
  rig = await createAccessRig({ oidc: oidcOf(null) });
  ({ organizationId } = await createOrganization(rig, EMAIL));
});
beforeEach(() => {
  rig.clock.advance(60_000);
  Object.assign(issuer.conduct, {
    claims: { email: EMAIL.toLowerCase(), email_verified: true },
    userInfo: null,
    metadata: {},
    silentPaths: [],
    nonce: null,
    clientSecret: null,
    authMethods: ['client_secret_basic', 'client_secret_post', 'none'],
    isBroken: false,
  });
});
afterAll(async () => {
  await rig.stop();
  await issuer.stop();
});

const visit = (access: AccessRig = rig) => visitIssuer(access, REDIRECT);

const A_SESSION = { tokenType: 'Bearer', accessToken: expect.stringMatching(/^ey/) };

const signIn = (body: Awaited<ReturnType<typeof visit>>, access: AccessRig = rig) =>
  access.call(operations.createTokenByProvider, { body });

describe('a sign-in at the identity provider', () => {
  it('is offered by name, and only where one is configured', async () => {
    const options = await rig.call(operations.retrieveSignInOptions);
    expect(options).toEqual({
      isDemo: false,
      mapTiles: null,
      provider: { name: 'Example ID' },
    });
    const without = await createAccessRig();
    expect(await without.call(operations.retrieveSignInOptions)).toEqual({
      isDemo: false,
      mapTiles: null,
      provider: null,
    });
    const query = { redirectUri: REDIRECT };
    expect(await codeOf(without.call(operations.beginProviderSignIn, { query }))).toBe('NOT_FOUND');
    const returned = { ...query, code: 'a', codeVerifier: 'b', nonce: 'c' };
    expect(await codeOf(signIn(returned, without))).toBe('NOT_FOUND');
    await without.stop();
  });

  it('begins a session of ours, which refreshes and ends like any other', async () => {
    const tokens = await signIn(await visit());
    const me = await rig.call(operations.retrieveMe, { auth: bearerAuth(tokens.accessToken) });
    expect(me).toMatchObject({ email: EMAIL, organizations: [{ id: organizationId }] });
    const body = { refreshToken: tokens.refreshToken };
    const renewed = await rig.call(operations.refreshToken, { body });
    await rig.call(operations.revokeToken, { body: { refreshToken: renewed.refreshToken } });
    const auth = bearerAuth(renewed.accessToken);
    expect(await codeOf(rig.call(operations.retrieveMe, { auth }))).toBe('UNAUTHENTICATED');
  });

  it('is in the audit log with who vouched for which subject', async () => {
    const auth = bearerAuth((await signIn(await visit())).accessToken);
    const params = { organizationId };
    const { items } = await rig.call(operations.listAuditLog, { auth, params });
    expect(items[0]).toMatchObject({
      operation: 'createTokenByProvider',
      actor: { kind: 'USER', name: EMAIL },
    });
    expect(JSON.stringify(items[0])).toContain('Example ID');
    expect(JSON.stringify(items[0])).toContain('someone');
  });

  it('is refused with a code that is wrong, used, or begun by somebody else', async () => {
    const first = await visit();
    const other = await visit();
    for (const bad of [
      { ...first, code: 'made up' },
      { ...other, codeVerifier: first.codeVerifier },
      { ...(await visit()), nonce: first.nonce },
      { ...(await visit()), redirectUri: `${REDIRECT}/elsewhere` },
    ]) {
      expect(await codeOf(signIn(bad))).toBe('UNAUTHENTICATED');
    }
    await signIn(first);
    expect(await codeOf(signIn(first))).toBe('UNAUTHENTICATED');
  });

  it('is refused when the issuer vouches for another sign-in, client or time', async () => {
    const now = Math.floor(rig.clock.now() / 1000);
    issuer.conduct.nonce = 'of another sign-in';
    expect(await codeOf(signIn(await visit()))).toBe('UNAUTHENTICATED');
    issuer.conduct.nonce = null;
    for (const claims of [
      { ...VERIFIED, aud: 'another-client' },
      { ...VERIFIED, azp: 'another-client', aud: [CLIENT_ID, 'another-client'] },
      { ...VERIFIED, exp: now - 60 },
      { ...VERIFIED, nonce: undefined },
    ]) {
      issuer.conduct.claims = claims;
      expect(await codeOf(signIn(await visit()))).toBe('UNAUTHENTICATED');
    }
  });

  it('names an email that no user has', async () => {
    issuer.conduct.claims = { ...VERIFIED, sub: 'stranger', email: 'stranger@example.com' };
    const stranger = await failureOf(signIn(await visit()));
    expect(stranger).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(stranger.message).toBe('No user has the email stranger@example.com.');
  });

  it.each([[undefined], ['false'], [null], [0], [false]])(
    'is refused for an email whose verification is %j',
    async (verified) => {
      issuer.conduct.claims = { email: EMAIL, email_verified: verified } as JWTPayload;
      const { code, message } = await failureOf(signIn(await visit()));
      expect([code, message]).toEqual([
        'UNAUTHENTICATED',
        'Example ID names no verified email address for you.',
      ]);
    },
  );

  it('finds the user by the subject once bound, and lets no other subject have the email', async () => {
    const me = async () => {
      const auth = bearerAuth((await signIn(await visit())).accessToken);
      return (await rig.call(operations.retrieveMe, { auth })).email;
    };
    expect(await me()).toBe(EMAIL);
    issuer.conduct.claims = { ...VERIFIED, email: 'renamed@example.com' };
    expect(await me()).toBe(EMAIL);
    issuer.conduct.claims = { ...VERIFIED, sub: 'somebody else' };
    const refused = await failureOf(signIn(await visit()));
    expect(refused).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(refused.message).toContain('another account of the identity provider');
  });

  it('counts bad codes against their address alone', async () => {
    const address = '192.0.2.77';
    const body = { ...(await visit()), code: 'made up' };
    const attempt = () => codeOf(rig.call(operations.createTokenByProvider, { body, address }));
    for (let failure = 1; failure <= 10; failure += 1) {
      expect(await attempt()).toBe('UNAUTHENTICATED');
    }
    expect(await attempt()).toBe('TOO_MANY_REQUESTS');
    await expect(signIn(await visit())).resolves.toMatchObject(A_SESSION);
  });
});

describe('an authorization response', () => {
  it('may return to an address with a query, which the issuer gets unchanged', async () => {
    const visited = await visitIssuer(rig, `${REDIRECT}?from=elsewhere`);
    await expect(signIn(visited)).resolves.toMatchObject(A_SESSION);
  });

  it('needs no iss parameter, also from an issuer that announces it', async () => {
    issuer.conduct.metadata = { authorization_response_iss_parameter_supported: true };
    const access = await createAccessRig({ databaseUrl: rig.databaseUrl, oidc: oidcOf(null) });
    await expect(signIn(await visit(access), access)).resolves.toMatchObject(A_SESSION);
    await access.stop();
  });

  it('is of no use when the answer of the token endpoint is larger than 256 KiB', async () => {
    issuer.conduct.metadata = { token_endpoint: `${issuer.url}/large` };
    const access = await createAccessRig({ databaseUrl: rig.databaseUrl, oidc: oidcOf(null) });
    expect(await codeOf(signIn(await visit(access), access))).toBe('ISSUER_UNAVAILABLE');
    await access.stop();
  });
});

describe('an issuer that gives the email at UserInfo', () => {
  let access: AccessRig;
  beforeAll(async () => {
    Object.assign(issuer.conduct, { userInfo: {}, metadata: {} });
    access = await createAccessRig({ databaseUrl: rig.databaseUrl, oidc: oidcOf(null) });
    await access.call(operations.beginProviderSignIn, { query: { redirectUri: REDIRECT } });
  });
  afterAll(() => access.stop());

  it('lets the user in whose ID token has no email, or one without a statement', async () => {
    for (const claims of [{}, { email: 'other@example.com' }]) {
      issuer.conduct.claims = claims;
      issuer.conduct.userInfo = { sub: 'someone', ...VERIFIED };
      await expect(signIn(await visit(access), access)).resolves.toMatchObject(A_SESSION);
    }
  });

  it('is not asked when the ID token says all, nor overrules it', async () => {
    const asked = () => issuer.hits.filter((url) => url === '/userinfo').length;
    const before = asked();
    issuer.conduct.userInfo = { sub: 'someone', ...VERIFIED };
    await signIn(await visit(access), access);
    issuer.conduct.claims = { email: EMAIL, email_verified: false };
    expect(await codeOf(signIn(await visit(access), access))).toBe('UNAUTHENTICATED');
    expect(asked()).toBe(before);
  });

  it('is refused when UserInfo speaks of another subject, or of an unverified email', async () => {
    issuer.conduct.claims = {};
    for (const userInfo of [
      { sub: 'somebody else', ...VERIFIED },
      VERIFIED,
      { sub: 'someone', email: EMAIL },
      { sub: 'someone', email: EMAIL, email_verified: 'false' },
      { sub: 'someone' },
    ]) {
      issuer.conduct.userInfo = userInfo;
      expect(await codeOf(signIn(await visit(access), access))).toBe('UNAUTHENTICATED');
    }
  });

  it('is a passing fault while UserInfo refuses the access token', async () => {
    issuer.conduct.claims = {};
    expect(await codeOf(signIn(await visit(access), access))).toBe('ISSUER_UNAVAILABLE');
  });
});

describe('the client secret', () => {
  it.each([[['client_secret_basic', 'client_secret_post']], [['client_secret_post']], [[]]])(
    'proves who we are to an issuer that takes %j',
    async (authMethods) => {
      Object.assign(issuer.conduct, { clientSecret: SECRET });
      issuer.conduct.authMethods = authMethods;
      const access = await createAccessRig({
        databaseUrl: rig.databaseUrl,
        oidc: oidcOf(SECRET),
      });
      const visited = await visit(access);
      issuer.conduct.authMethods = authMethods.length === 0 ? ['client_secret_basic'] : authMethods;
      await expect(signIn(visited, access)).resolves.toMatchObject(A_SESSION);
      await access.stop();
    },
  );

  it('that is wrong is no fault of who signs in, and stands in the log', async () => {
    issuer.conduct.clientSecret = SECRET;
    expect(await codeOf(signIn(await visit()))).toBe('ISSUER_UNAVAILABLE');
    expect(rig.logLines.join('')).toContain('does not accept our client id or secret');
    expect(rig.logLines.join('')).not.toContain(SECRET);
  });
});

describe('an identity provider that is away', () => {
  it('is a passing fault, at the beginning and at the end', async () => {
    const visited = await visit();
    issuer.conduct.isBroken = true;
    expect(await codeOf(signIn(visited))).toBe('ISSUER_UNAVAILABLE');
    const fresh = await createAccessRig({ databaseUrl: rig.databaseUrl, oidc: oidcOf(null) });
    const query = { redirectUri: REDIRECT };
    expect(await codeOf(fresh.call(operations.beginProviderSignIn, { query }))).toBe(
      'ISSUER_UNAVAILABLE',
    );
    await fresh.stop();
  });
});
