import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import {
  type AccessRig,
  createAccessRig,
  createCheapSecrets,
  PASSWORD,
} from '../../test/support/access.ts';
import { createMembers, type Members } from '../../test/support/members.ts';

/** Password work that goes on for as long as a test wants. */
function createGate() {
  let release: () => void = () => undefined;
  let opened = Promise.resolve();
  let waiting = 0;
  return {
    close() {
      opened = new Promise((resolve) => {
        release = resolve;
      });
    },
    open: () => release(),
    waiting: () => waiting,
    async pass<T>(work: Promise<T>): Promise<T> {
      waiting += 1;
      await opened;
      waiting -= 1;
      return work;
    },
  };
}

const gate = createGate();
let rig: AccessRig;
let members: Members;

beforeAll(async () => {
  const secrets = createCheapSecrets();
  rig = await createAccessRig({
    secrets: {
      ...secrets,
      hashChosen: (secret) => gate.pass(secrets.hashChosen(secret)),
      verifyPassword: (stored, given) => gate.pass(secrets.verifyPassword(stored, given)),
    },
  });
  members = await createMembers(rig);
});
afterAll(() => rig.stop());

const heldOpen = async () => {
  const [row] = await rig.storage.query<{ count: number }>(
    `select count(*) from pg_stat_activity
     where datname = current_database() and state = 'idle in transaction'`,
  );
  return row?.count ?? 0;
};

const WORK: readonly [string, () => Promise<() => Promise<unknown>>][] = [
  [
    'a sign-in',
    async () => () => {
      const body = { email: members.adminEmail, password: PASSWORD };
      return rig.call(operations.createToken, { body });
    },
  ],
  [
    'a change of the password',
    async () => {
      const auth = await members.signIn(members.adminEmail);
      const body = { currentPassword: PASSWORD, newPassword: 'another long enough one' };
      return () => rig.call(operations.changePassword, { auth, body });
    },
  ],
  [
    'a new user with a password',
    async () => () =>
      rig.call(operations.createUser, {
        auth: members.key,
        params: { organizationId: members.organizationId },
        body: { email: members.emailOf('new'), role: 'VIEWER', password: PASSWORD },
      }),
  ],
  [
    'a redeemed invitation',
    async () => {
      const { invitationToken: token = '' } = await members.create(
        members.emailOf('invited'),
        'VIEWER',
      );
      const body = { token, password: PASSWORD };
      return () => rig.call(operations.redeemInvitation, { body });
    },
  ],
  [
    'a first start',
    async () => () =>
      rig.access.bootstrap({
        organizationId: rig.newId(),
        adminEmail: members.emailOf('operator'),
        adminPassword: null,
        apiKeyId: null,
        apiKeySecret: null,
      }),
  ],
];

describe('while its password is hashed', () => {
  it.each(WORK)('%s holds no transaction open', async (_, prepared) => {
    const start = await prepared();
    gate.close();
    const done = start();
    await expect.poll(gate.waiting).toBe(1);
    await expect.poll(heldOpen).toBe(0);
    gate.open();
    await expect(done).resolves.not.toThrow();
  });
});

describe('an unknown token', () => {
  it.each([
    ['refreshed', () => rig.call(operations.refreshToken, { body: { refreshToken: 'unknown' } })],
    ['revoked', () => rig.call(operations.revokeToken, { body: { refreshToken: 'unknown' } })],
    [
      'redeemed',
      () => rig.call(operations.redeemInvitation, { body: { token: 'x', password: PASSWORD } }),
    ],
  ])('that is %s begins no transaction', async (_, call) => {
    const { transaction } = rig.storage;
    let begun = 0;
    Object.assign(rig.storage, {
      transaction: (work: Parameters<typeof transaction>[0]) => {
        begun += 1;
        return transaction(work);
      },
    });
    await call().catch(() => undefined);
    Object.assign(rig.storage, { transaction });
    expect(begun).toBe(0);
  });
});
