import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AccessRig,
  bearerAuth,
  codeOf,
  createAccessRig,
  PASSWORD,
} from '../../../test/support/access.ts';
import { createMembers, type Members } from '../../../test/support/members.ts';

let rig: AccessRig;
let members: Members;
let email: string;
let userId: string;

beforeAll(async () => {
  rig = await createAccessRig();
});
afterAll(() => rig.stop());
beforeEach(async () => {
  members = await createMembers(rig);
  email = members.emailOf('person');
  userId = (await members.create(email, 'VIEWER', { password: PASSWORD })).id;
});

async function signIn(address: string, userAgent?: string) {
  const tokens = await rig.call(operations.createToken, {
    body: { email, password: PASSWORD },
    address,
    ...(userAgent ? { userAgent } : {}),
  });
  return { ...tokens, auth: bearerAuth(tokens.accessToken) };
}
const list = async (auth: string) => (await rig.call(operations.listSessions, { auth })).items;

describe("a user's sessions", () => {
  it('are listed newest first, the current one marked, with where they were last used', async () => {
    const first = await signIn('192.0.2.10', 'A browser');
    rig.clock.advance(1_000);
    const second = await signIn('192.0.2.20');
    rig.clock.advance(1_000);
    await rig.call(operations.refreshToken, {
      body: { refreshToken: first.refreshToken },
      address: '192.0.2.11',
      userAgent: 'A newer browser',
    });
    expect(await list(second.auth)).toMatchObject([
      { isCurrent: true, address: '192.0.2.20', userAgent: null },
      { isCurrent: false, address: '192.0.2.11', userAgent: 'A newer browser' },
    ]);
    const [newest, oldest] = await list(first.auth);
    expect([newest?.isCurrent, oldest?.isCurrent]).toEqual([false, true]);
    expect(oldest && oldest.lastUsedDateTime > oldest.createdDateTime).toBe(true);
  });

  it('end one by one, with their refresh tokens, and are recorded in the audit log', async () => {
    const [lost, current] = [await signIn('192.0.2.10'), await signIn('192.0.2.20')];
    const other = (await list(current.auth)).find(({ isCurrent }) => !isCurrent);
    const params = { sessionId: other?.id ?? '' };
    await rig.call(operations.endSession, { auth: current.auth, params });
    expect(await codeOf(list(lost.auth))).toBe('UNAUTHENTICATED');
    const body = { refreshToken: lost.refreshToken };
    expect(await codeOf(rig.call(operations.refreshToken, { body }))).toBe('UNAUTHENTICATED');
    expect(await list(current.auth)).toHaveLength(1);
    const again = rig.call(operations.endSession, { auth: current.auth, params });
    expect(await codeOf(again)).toBe('NOT_FOUND');
    const { items } = await rig.call(operations.listAuditLog, {
      auth: members.key,
      params: { organizationId: members.organizationId },
      query: { resourceId: other?.id },
    });
    expect(items.map(({ operation }) => operation)).toEqual(['endSession', 'createToken']);
  });

  it('end all at once but for the current one', async () => {
    const others = [await signIn('192.0.2.10'), await signIn('192.0.2.11')];
    const current = await signIn('192.0.2.20');
    await rig.call(operations.endSessions, { auth: current.auth });
    for (const { auth } of others) expect(await codeOf(list(auth))).toBe('UNAUTHENTICATED');
    expect(await list(current.auth)).toMatchObject([{ isCurrent: true }]);
  });

  it('cannot be ended by another user', async () => {
    const { auth } = await signIn('192.0.2.10');
    const [own] = await list(auth);
    const params = { sessionId: own?.id ?? '' };
    const stranger = await members.signIn(members.adminEmail);
    const ended = rig.call(operations.endSession, { auth: stranger, params });
    expect(await codeOf(ended)).toBe('NOT_FOUND');
    await rig.call(operations.endSessions, { auth: stranger });
    expect(await list(auth)).toHaveLength(1);
  });
});

describe('an administrator', () => {
  const endAll = ({ organizationId }: Members, id: string, auth: string) =>
    rig.call(operations.endUserSessions, { auth, params: { organizationId, userId: id } });

  it("ends a member's sessions", async () => {
    const { auth } = await signIn('192.0.2.10');
    await endAll(members, userId, members.key);
    expect(await codeOf(list(auth))).toBe('UNAUTHENTICATED');
  });

  it('ends none of a user who is only invited, and none of a neighbour', async () => {
    const { auth } = await signIn('192.0.2.10');
    const neighbour = await createMembers(rig);
    expect(await codeOf(endAll(neighbour, userId, neighbour.key))).toBe('NOT_FOUND');
    await neighbour.create(email, 'VIEWER');
    expect(await codeOf(endAll(neighbour, userId, neighbour.key))).toBe('CONFLICT');
    expect(await list(auth)).toHaveLength(1);
  });

  it('has their own ended only by credentials that hold all they hold', async () => {
    const administratorId = await members.administratorId();
    const weak = await members.keyWith(['ManageUsers']);
    expect(await codeOf(endAll(members, administratorId, weak))).toBe('PERMISSION_MISSING');
    await endAll(members, userId, weak);
  });
});
