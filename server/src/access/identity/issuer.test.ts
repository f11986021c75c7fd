import { operations, ROLE_PERMISSIONS } from '@fieldwatch/contract';
import { exportJWK, generateKeyPair, type JWTPayload, SignJWT } from 'jose';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AccessRig,
  bearerAuth,
  callerOf,
  codeOf,
  createAccessRig,
  createOrganization,
  failureOf,
} from '../../../test/support/access.ts';
import { CLIENT_ID, type LocalIssuer, startIssuer } from '../../../test/support/issuer.ts';
import { fetchLimited } from './limited-fetch.ts';

const AUDIENCE = CLIENT_ID;
const ADDRESS = '192.0.2.1';
const SECOND = 1_000;

type Keys = Awaited<ReturnType<typeof generateKeyPair>>;

let issuer: LocalIssuer;
let rig: AccessRig;
let organizationId: string;
let personId: string;

beforeAll(async () => {
  issuer = await startIssuer(() => rig.clock.now());
  rig = await createAccessRig({
    oidc: { issuer: issuer.url, audience: AUDIENCE, trustsEmail: false, client: null },
  });
  let key: string;
  ({ organizationId, key } = await createOrganization(rig, 'Person@Example.com'));
  const users = await rig.call(operations.listUsers, { auth: key, params: { organizationId } });
  personId = users.items[0]?.id ?? '';
});
beforeEach(() => rig.clock.advance(60 * SECOND));
afterAll(async () => {
  await rig.stop();
  await issuer.stop();
});

function token(
  claims: JWTPayload = {},
  {
    keys = issuer.keys,
    alg = 'RS256',
    kid = 'one',
    without = '',
  }: { keys?: Keys; alg?: string; kid?: string; without?: string } = {},
): Promise<string> {
  const now = Math.floor(rig.clock.now() / 1000);
  const all: JWTPayload = {
    iss: issuer.url,
    aud: AUDIENCE,
    sub: 'someone',
    exp: now + 300,
    iat: now,
    email: 'person@example.com',
    email_verified: true,
    ...claims,
  };
  delete all[without];
  return new SignJWT(all).setProtectedHeader({ alg, kid }).sign(keys.privateKey);
}

const authenticate = async (jwt: string | Promise<string>) =>
  rig.access.authenticate(bearerAuth(await jwt), ADDRESS);

/** The user of the organization made above, on any server that shares its database. */
async function expectPerson(jwt: string | Promise<string>, on = rig): Promise<void> {
  expect(await callerOf(on, bearerAuth(await jwt), organizationId)).toEqual({
    kind: 'USER',
    id: personId,
    permissions: [...ROLE_PERMISSIONS.ADMINISTRATOR].sort(),
  });
}

describe('a token of the configured issuer', () => {
  it('speaks for the user of its email, in any case, without a session', async () => {
    const caller = await authenticate(token({ email: 'PERSON@example.com' }));
    expect(caller).toMatchObject({ kind: 'USER', name: 'Person@Example.com', sessionId: null });
    expect(caller.permissionsIn(organizationId)?.has('ManageUsers')).toBe(true);
  });

  it('is refused for an unknown, missing or absurd email', async () => {
    for (const claims of [
      { email: 'stranger@example.com' },
      { email: undefined },
      { email: 7 },
      { email: 'a\0@example.com' },
    ]) {
      expect(await codeOf(authenticate(token({ sub: 'nobody', ...claims })))).toBe(
        'UNAUTHENTICATED',
      );
    }
  });

  it.each([[undefined], ['false'], [null], [0], [1], [false], ['TRUE'], [{}]])(
    'is refused when email_verified is %j',
    async (verified) => {
      const claims = { email_verified: verified } as JWTPayload;
      expect(await codeOf(authenticate(token(claims)))).toBe('UNAUTHENTICATED');
    },
  );

  it('is accepted with the string "true", or without a statement from a trusted issuer', async () => {
    await expectPerson(token({ email_verified: 'true' }));
    const trusting = await createAccessRig({
      databaseUrl: rig.databaseUrl,
      oidc: { issuer: issuer.url, audience: AUDIENCE, trustsEmail: true, client: null },
    });
    const by = async (jwt: Promise<string>) =>
      trusting.access.authenticate(bearerAuth(await jwt), ADDRESS);
    await expectPerson(token({}, { without: 'email_verified' }), trusting);
    expect(await codeOf(by(token({ email_verified: false })))).toBe('UNAUTHENTICATED');
    await trusting.stop();
  });

  it('is compared by ASCII case only, so that a Kelvin sign is no k', async () => {
    const { organizationId: id } = await createOrganization(rig, 'mark@example.com');
    const kelvin = token({ sub: 'kelvin', email: 'mar\u212A@example.com' });
    expect(await codeOf(authenticate(kelvin))).toBe('UNAUTHENTICATED');
    const mark = await authenticate(token({ sub: 'mark', email: 'MARK@example.com' }));
    expect(mark.permissionsIn(id)).toBeDefined();
  });

  it('is bound to its subject by the first use of the email', async () => {
    const email = 'bound@example.com';
    await createOrganization(rig, email);
    const first = await authenticate(token({ sub: 'first', email }));
    const second = await failureOf(authenticate(token({ sub: 'second', email })));
    expect(second).toMatchObject({ code: 'UNAUTHENTICATED' });
    expect(second.message).toContain('another account of the identity provider');
    const moved = token({ sub: 'first', email: 'new-address@example.com' });
    await expect(authenticate(moved)).resolves.toMatchObject({ id: first.id, name: email });
    const withoutEmail = token({ sub: 'first', email: undefined });
    await expect(authenticate(withoutEmail)).resolves.toMatchObject({ id: first.id });
  });

  it('is refused without a subject', async () => {
    for (const sub of [undefined, '', 'x'.repeat(256)]) {
      expect(await codeOf(authenticate(token({ sub } as JWTPayload)))).toBe('UNAUTHENTICATED');
    }
  });

  it('binds one subject of ten that come with one email at the same moment', async () => {
    const email = 'raced@example.com';
    await createOrganization(rig, email);
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, (_, index) =>
        authenticate(token({ sub: `racer-${index}`, email })),
      ),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
  });

  it('is refused for another audience, when expired, early or without an end', async () => {
    const now = Math.floor(rig.clock.now() / 1000);
    const bad: JWTPayload[] = [{ aud: 'another-service' }, { exp: now - 60 }, { nbf: now + 600 }];
    for (const claims of bad) {
      expect(await codeOf(authenticate(token(claims)))).toBe('UNAUTHENTICATED');
    }
    for (const without of ['aud', 'exp']) {
      expect(await codeOf(authenticate(token({}, { without })))).toBe('UNAUTHENTICATED');
    }
  });

  it('is refused when signed by another key, symmetrically or not at all', async () => {
    const stranger = await generateKeyPair('RS256');
    expect(await codeOf(authenticate(token({}, { keys: stranger })))).toBe('UNAUTHENTICATED');
    const [, payload = ''] = (await token()).split('.');
    const none = Buffer.from('{"alg":"none"}').toString('base64url');
    expect(await codeOf(authenticate(`${none}.${payload}.`))).toBe('UNAUTHENTICATED');
    const secret = new TextEncoder().encode(JSON.stringify(issuer.published[0]));
    const symmetric = await new SignJWT({
      iss: issuer.url,
      aud: AUDIENCE,
      email: 'person@example.com',
    })
      .setProtectedHeader({ alg: 'HS256', kid: 'one' })
      .setExpirationTime('5m')
      .sign(secret);
    expect(await codeOf(authenticate(symmetric))).toBe('UNAUTHENTICATED');
  });

  it('does not stand in for one of ours, nor of another issuer', async () => {
    expect(await codeOf(authenticate(token({ iss: 'https://elsewhere.example' })))).toBe(
      'UNAUTHENTICATED',
    );
    expect(await codeOf(authenticate(token({ iss: 'fieldwatch', aud: 'fieldwatch' })))).toBe(
      'UNAUTHENTICATED',
    );
  });

  it('stops at once when the user is deleted, and works for one who is made', async () => {
    const administrator = bearerAuth(await token());
    const params = { organizationId };
    const email = 'second@example.com';
    const sub = 'second of the organization';
    expect(await codeOf(authenticate(token({ sub, email })))).toBe('UNAUTHENTICATED');
    const { id } = await rig.call(operations.createUser, {
      auth: administrator,
      params,
      body: { email, role: 'VIEWER' },
    });
    await expect(authenticate(token({ sub, email }))).resolves.toMatchObject({ id });
    const status = async () => {
      const user = { auth: administrator, params: { ...params, userId: id } };
      return (await rig.call(operations.retrieveUser, user)).status;
    };
    await expect.poll(status, { timeout: 10_000 }).toBe('ACTIVE');
    await rig.call(operations.deleteUser, {
      auth: administrator,
      params: { ...params, userId: id },
    });
    expect(await codeOf(authenticate(token({ sub, email })))).toBe('UNAUTHENTICATED');
  });
});

describe('the keys of the issuer', () => {
  it('may be several, of several kinds', async () => {
    const next = await generateKeyPair('ES256');
    issuer.published.push({ ...(await exportJWK(next.publicKey)), kid: 'two', alg: 'ES256' });
    const other = await createAccessRig({
      databaseUrl: rig.databaseUrl,
      oidc: { issuer: issuer.url, audience: AUDIENCE, trustsEmail: false, client: null },
    });
    const jwt = await token({}, { keys: next, alg: 'ES256', kid: 'two' });
    await expectPerson(jwt, other);
    await other.stop();
  });

  it('are fetched once for many tokens', async () => {
    await authenticate(token());
    const before = issuer.hits.length;
    await Promise.all(Array.from({ length: 20 }, () => authenticate(token())));
    expect(issuer.hits.length).toBe(before);
  });
});

describe('an issuer that is away or wrong', () => {
  it('names another issuer in its document: also no fault of the token', async () => {
    const other = await createAccessRig({
      databaseUrl: rig.databaseUrl,
      oidc: { issuer: `${issuer.url}/`, audience: AUDIENCE, trustsEmail: false, client: null },
    });
    const jwt = bearerAuth(await token({ iss: `${issuer.url}/` }));
    const before = issuer.hits.length;
    for (let request = 0; request < 3; request += 1) {
      expect(await codeOf(other.access.authenticate(jwt, ADDRESS))).toBe('ISSUER_UNAVAILABLE');
    }
    expect(issuer.hits.length).toBe(before + 1);
    await other.stop();
  });

  it('is a passing fault, is not asked at every request, and is found again', async () => {
    issuer.conduct.isBroken = true;
    const other = await createAccessRig({
      databaseUrl: rig.databaseUrl,
      oidc: { issuer: issuer.url, audience: AUDIENCE, trustsEmail: false, client: null },
    });
    const jwt = bearerAuth(await token());
    const before = issuer.hits.length;
    for (let request = 0; request < 3; request += 1) {
      expect(await codeOf(other.access.authenticate(jwt, ADDRESS))).toBe('ISSUER_UNAVAILABLE');
    }
    expect(issuer.hits.length).toBe(before + 1);
    issuer.conduct.isBroken = false;
    other.clock.advance(10 * SECOND);
    await expectPerson(token({ exp: Math.floor(other.clock.now() / 1000) + 300 }), other);
    await other.stop();
  });
});

describe('what the issuer publishes', () => {
  it('may not be larger than 256 KiB', async () => {
    const signal = AbortSignal.timeout(5_000);
    await expect(fetchLimited(`${issuer.url}/large`, signal)).rejects.toThrow('larger');
  });
});
