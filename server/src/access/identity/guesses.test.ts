import { KEY_PERMISSIONS, operations } from '@fieldwatch/contract';
import { afterAll, afterEach, beforeAll, describe, expect, it } from 'vitest';
import {
  type AccessRig,
  basicAuth,
  callerOf,
  codeOf,
  createAccessRig,
  createCheapSecrets,
  createOrganization,
  failureOf,
} from '../../../test/support/access.ts';
import { ACCESS_LIMITS } from '../index.ts';

const ADDRESS = '192.0.2.1';

let rig: AccessRig;
let organization: Awaited<ReturnType<typeof createOrganization>>;
const others: AccessRig[] = [];

beforeAll(async () => {
  rig = await createAccessRig();
  organization = await createOrganization(rig);
});
afterEach(async () => {
  for (const other of others.splice(0)) await other.stop();
});
afterAll(() => rig.stop());

async function anotherRig(options: Parameters<typeof createAccessRig>[0]): Promise<AccessRig> {
  const other = await createAccessRig(options);
  others.push(other);
  return other;
}

const authenticate = (auth: string, address: string, on: AccessRig) =>
  on.access.authenticate(auth, address);
async function newKey() {
  const { id, secret } = await rig.call(operations.createApiKey, {
    auth: organization.key,
    params: { organizationId: organization.organizationId },
    body: { name: 'A key', permissions: ['ReadAssets'] },
  });
  return { id, auth: basicAuth(id, secret) };
}

const readerWith = (id: string) => ({ kind: 'API_KEY', id, permissions: ['ReadAssets'] });

describe('failures of Basic credentials', () => {
  it('are limited per address and key id, and never shut out the good key', async () => {
    const other = await anotherRig({
      databaseUrl: rig.databaseUrl,
      limits: { ...ACCESS_LIMITS, keys: { ...ACCESS_LIMITS.keys, keyFailuresPerMinute: 3 } },
    });
    const { id, auth } = await newKey();
    const wrong = basicAuth(id, 'wrong');
    for (let failure = 0; failure < 3; failure += 1) {
      expect(await codeOf(authenticate(wrong, ADDRESS, other))).toBe('UNAUTHENTICATED');
    }
    const refused = await failureOf(authenticate(wrong, ADDRESS, other));
    expect(refused.code).toBe('TOO_MANY_REQUESTS');
    expect(refused.retryAfterSeconds).toBeGreaterThan(0);
    expect(await callerOf(other, auth, organization.organizationId)).toEqual(readerWith(id));
    expect(await codeOf(authenticate(wrong, '192.0.2.2', other))).toBe('UNAUTHENTICATED');
    expect(await codeOf(authenticate(basicAuth('other', 'x'), ADDRESS, other))).toBe(
      'UNAUTHENTICATED',
    );
    other.clock.advance(60_000);
    expect(await codeOf(authenticate(wrong, ADDRESS, other))).toBe('UNAUTHENTICATED');
  });

  it('with ever other ids are refused before the look-up, and never shut out a key in use', async () => {
    const other = await anotherRig({
      databaseUrl: rig.databaseUrl,
      limits: { ...ACCESS_LIMITS, keys: { ...ACCESS_LIMITS.keys, addressFailuresPerMinute: 3 } },
    });
    const { id, auth } = await newKey();
    await authenticate(auth, ADDRESS, other);
    const guess = (one: number, address = ADDRESS) =>
      codeOf(authenticate(basicAuth(`key-${one}`, 'wrong'), address, other));
    for (let one = 0; one < 3; one += 1) expect(await guess(one)).toBe('UNAUTHENTICATED');
    expect(await guess(4)).toBe('TOO_MANY_REQUESTS');
    expect(await guess(5, '192.0.2.2')).toBe('UNAUTHENTICATED');
    expect(await callerOf(other, auth, organization.organizationId)).toEqual(readerWith(id));
  });

  it('of a configured secret cost no further hash once there were too many', async () => {
    const secrets = createCheapSecrets();
    let hashed = 0;
    const other = await anotherRig({
      databaseUrl: rig.databaseUrl,
      limits: { ...ACCESS_LIMITS, keys: { ...ACCESS_LIMITS.keys, keyFailuresPerMinute: 3 } },
      secrets: {
        ...secrets,
        verifyKeySecret(stored, presented) {
          hashed += 1;
          return secrets.verifyKeySecret(stored, presented);
        },
      },
    });
    const apiKeySecret = 'a configured secret of 32 characters';
    const organizationId = other.newId();
    await other.access.bootstrap({
      organizationId,
      adminEmail: `${other.newId()}@example.com`,
      adminPassword: null,
      apiKeyId: 'configured',
      apiKeySecret,
    });
    const guesses = Array.from({ length: 8 }, (_, one) =>
      codeOf(authenticate(basicAuth('configured', `guess ${one}`), ADDRESS, other)),
    );
    expect((await Promise.all(guesses)).filter((code) => code === 'UNAUTHENTICATED')).toHaveLength(
      3,
    );
    expect(hashed).toBe(3);
    const good = basicAuth('configured', apiKeySecret);
    expect(await codeOf(authenticate(good, ADDRESS, other))).toBe('TOO_MANY_REQUESTS');
    for (const address of ['192.0.2.2', ADDRESS]) {
      expect(await callerOf(other, good, organizationId, address)).toEqual({
        kind: 'API_KEY',
        id: 'configured',
        permissions: [...KEY_PERMISSIONS].sort(),
      });
    }
  });

  it('do not include many first requests at once with a good configured secret', async () => {
    const secrets = createCheapSecrets();
    let hashed = 0;
    const other = await anotherRig({
      databaseUrl: rig.databaseUrl,
      secrets: {
        ...secrets,
        verifyKeySecret(stored, presented) {
          hashed += 1;
          return secrets.verifyKeySecret(stored, presented);
        },
      },
    });
    const apiKeySecret = 'another configured secret, 32 characters';
    await other.access.bootstrap({
      organizationId: other.newId(),
      adminEmail: `${other.newId()}@example.com`,
      adminPassword: null,
      apiKeyId: 'configured-too',
      apiKeySecret,
    });
    const good = basicAuth('configured-too', apiKeySecret);
    const callers = await Promise.all(
      Array.from({ length: 50 }, () => authenticate(good, ADDRESS, other)),
    );
    expect(callers).toHaveLength(50);
    expect(hashed).toBe(1);
  });

  it('allow six hundred failures a minute by default', () => {
    expect(ACCESS_LIMITS.keys.keyFailuresPerMinute).toBe(600);
  });
});
