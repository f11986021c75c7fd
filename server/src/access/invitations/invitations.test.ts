import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AccessRig,
  accountOf,
  bearerAuth,
  codeOf,
  createAccessRig,
  failureOf,
  PASSWORD,
} from '../../../test/support/access.ts';
import { createMembers, type Members } from '../../../test/support/members.ts';

const NEW_PASSWORD = 'another long enough one';

let rig: AccessRig;
/** The organization that made the account, and one that invites it. */
let first: Members;
let second: Members;
let email: string;

beforeAll(async () => {
  rig = await createAccessRig();
});
afterAll(() => rig.stop());
beforeEach(async () => {
  first = await createMembers(rig);
  second = await createMembers(rig);
  email = first.emailOf('person');
});

const redeem = async (token: string | undefined, password = PASSWORD) => {
  const body = { token: token ?? '', password };
  return bearerAuth((await rig.call(operations.redeemInvitation, { body })).accessToken);
};
const invitationsOf = async (auth: string) =>
  (await rig.call(operations.listInvitations, { auth })).items;
const accept = (auth: string, id: string | undefined, token?: string) =>
  rig.call(operations.acceptInvitation, {
    auth,
    params: { invitationId: id ?? '' },
    body: token === undefined ? {} : { token },
  });
const belongsTo = async (auth: string) => {
  const me = await rig.call(operations.retrieveMe, { auth });
  return me.organizations.map(({ id }) => id);
};
/** What reads the second organization, as far as the credentials go. */
const reads = async (auth: string, { organizationId }: Members) =>
  (await rig.access.authenticate(auth, '192.0.2.1')).permissionsIn(organizationId) !== undefined;
const statusIn = async (members: Members) =>
  (await members.list({ search: email })).items[0]?.status;

describe('an administrator of one organization', () => {
  it('who chose the password of an account reads no other that adds its email', async () => {
    await first.create(email, 'VIEWER', { password: PASSWORD });
    await second.create(email, 'ADMINISTRATOR');
    const session = await first.signIn(email);
    expect(await reads(session, second)).toBe(false);
    const [invitation] = await invitationsOf(session);
    expect(invitation).toMatchObject({
      organization: { id: second.organizationId },
      role: 'ADMINISTRATOR',
      needsToken: true,
    });
    expect(await codeOf(accept(session, invitation?.id))).toBe('CONFLICT');
    expect(await codeOf(accept(session, invitation?.id, 'a guess'))).toBe('INVALID_REQUEST');
    expect(await reads(session, second)).toBe(false);
  });

  it('who kept an invitation token reads no other that adds the email', async () => {
    const { invitationToken: kept } = await first.create(email, 'VIEWER');
    const { invitationToken } = await second.create(email, 'ADMINISTRATOR');
    const session = await redeem(kept);
    expect(await belongsTo(session)).toEqual([first.organizationId]);
    const [invitation] = await invitationsOf(session);
    expect(await codeOf(accept(session, invitation?.id))).toBe('CONFLICT');
    const owner = await redeem(invitationToken, NEW_PASSWORD);
    expect(await belongsTo(owner)).toEqual([second.organizationId]);
    expect(await codeOf(invitationsOf(session))).toBe('UNAUTHENTICATED');
    expect(await codeOf(first.signIn(email))).toBe('UNAUTHENTICATED');
  });

  it('who invites an account takes nothing of what it has elsewhere', async () => {
    await first.create(email, 'EDITOR', { password: PASSWORD });
    const { invitationToken } = await second.create(email, 'VIEWER');
    const thief = await redeem(invitationToken, NEW_PASSWORD);
    expect(await reads(thief, first)).toBe(false);
    expect(await reads(thief, second)).toBe(true);
    expect(await statusIn(first)).toBe('INVITED');
    expect(await invitationsOf(thief)).toEqual([]);
    const { items } = await rig.call(operations.listAuditLog, {
      auth: first.key,
      params: { organizationId: first.organizationId },
      query: { resource: 'User' },
    });
    expect(items[0]).toMatchObject({
      operation: 'redeemInvitation',
      actor: { kind: 'SYSTEM' },
      changes: [{ field: 'status', from: 'ACTIVE', to: 'INVITED' }],
    });
  });

  it('cannot take over the last administrator of another, nor one whom the operator named', async () => {
    const { invitationToken } = await second.create(first.adminEmail, 'VIEWER');
    expect(await codeOf(redeem(invitationToken, NEW_PASSWORD))).toBe('CONFLICT');
    await rig.storage.query('update users set email_proved_at = null where email = $1', [
      first.adminEmail,
    ]);
    const failure = await failureOf(redeem(invitationToken, NEW_PASSWORD));
    expect(failure.message).toMatch(/last administrator/);
    expect(await accountOf(rig, await first.signIn(first.adminEmail))).toEqual({
      email: first.adminEmail,
      roles: [{ id: first.organizationId, role: 'ADMINISTRATOR' }],
    });
  });
});

describe('a person with an account', () => {
  it('accepts signed in with the token, once the password is their own', async () => {
    await first.create(email, 'VIEWER', { password: PASSWORD });
    const { invitationToken } = await second.create(email, 'EDITOR');
    const session = await first.signIn(email);
    const [invitation] = await invitationsOf(session);
    const early = await failureOf(accept(session, invitation?.id, invitationToken));
    expect([early.code, early.message]).toEqual(['CONFLICT', expect.stringMatching(/change it/)]);
    await rig.call(operations.changePassword, {
      auth: session,
      body: { currentPassword: PASSWORD, newPassword: NEW_PASSWORD },
    });
    expect(await accept(session, invitation?.id, invitationToken)).toMatchObject({
      id: second.organizationId,
      role: 'EDITOR',
    });
    expect(await belongsTo(session)).toEqual([first.organizationId, second.organizationId]);
    expect(await statusIn(second)).toBe('ACTIVE');
    expect(await invitationsOf(session)).toEqual([]);
    expect(await codeOf(accept(session, invitation?.id, invitationToken))).toBe('NOT_FOUND');
    expect(await codeOf(redeem(invitationToken, NEW_PASSWORD))).toBe('UNAUTHENTICATED');
  });

  it('accepts by the token with their own password, and nothing else changes', async () => {
    const { invitationToken: own } = await first.create(email, 'VIEWER');
    const session = await redeem(own);
    const { invitationToken } = await second.create(email, 'EDITOR');
    const there = await redeem(invitationToken);
    expect(await belongsTo(there)).toEqual([first.organizationId, second.organizationId]);
    expect(await belongsTo(session)).toEqual([first.organizationId, second.organizationId]);
  });

  it('must choose another password than the one that an administrator chose', async () => {
    await first.create(email, 'VIEWER', { password: PASSWORD });
    const { invitationToken } = await second.create(email, 'EDITOR');
    expect(await codeOf(redeem(invitationToken))).toBe('INVALID_REQUEST');
  });

  it('whom the operator named accepts signed in and nothing more', async () => {
    await second.create(first.adminEmail, 'VIEWER');
    const session = await first.signIn(first.adminEmail);
    const [invitation] = await invitationsOf(session);
    expect(invitation?.needsToken).toBe(false);
    await accept(session, invitation?.id);
    expect(await belongsTo(session)).toEqual([first.organizationId, second.organizationId]);
  });

  it('who signed in by the identity provider loses a password that others may know', async () => {
    await first.create(email, 'VIEWER', { password: PASSWORD });
    await second.create(email, 'EDITOR');
    const session = await first.signIn(email);
    const other = await first.signIn(email);
    const { items } = await rig.call(operations.listSessions, { auth: session });
    const current = items.find(({ isCurrent }) => isCurrent);
    await rig.storage.query('update sessions set by_provider = true where id = $1', [current?.id]);
    const [invitation] = await invitationsOf(session);
    expect(invitation?.needsToken).toBe(false);
    await accept(session, invitation?.id);
    expect(await reads(session, second)).toBe(true);
    expect(await codeOf(invitationsOf(other))).toBe('UNAUTHENTICATED');
    expect(await codeOf(first.signIn(email))).toBe('UNAUTHENTICATED');
  });

  it('declines, and is no longer a member there', async () => {
    await first.create(email, 'VIEWER', { password: PASSWORD });
    const { invitationToken } = await second.create(email, 'EDITOR');
    const session = await first.signIn(email);
    const [invitation] = await invitationsOf(session);
    const params = { invitationId: invitation?.id ?? '' };
    await rig.call(operations.declineInvitation, { auth: session, params });
    expect((await second.list({ search: email })).count).toBe(0);
    expect(await codeOf(redeem(invitationToken, NEW_PASSWORD))).toBe('UNAUTHENTICATED');
    expect(await belongsTo(session)).toEqual([first.organizationId]);
  });

  it('finds no invitation of somebody else, and none after seven days', async () => {
    await first.create(email, 'VIEWER', { password: PASSWORD });
    const { invitationToken } = await second.create(email, 'EDITOR');
    const session = await first.signIn(email);
    const [invitation] = await invitationsOf(session);
    const stranger = await first.signIn(first.adminEmail);
    expect(await codeOf(accept(stranger, invitation?.id, invitationToken))).toBe('NOT_FOUND');
    const params = { invitationId: invitation?.id ?? '' };
    const declined = rig.call(operations.declineInvitation, { auth: stranger, params });
    expect(await codeOf(declined)).toBe('NOT_FOUND');
    rig.clock.advance(7 * 24 * 3_600_000);
    expect(await codeOf(redeem(invitationToken, NEW_PASSWORD))).toBe('UNAUTHENTICATED');
    expect(await invitationsOf(await first.signIn(email))).toEqual([]);
  });
});

describe('emails', () => {
  it('differ by more than ASCII case: a Kelvin sign is not a k', async () => {
    await first.create(`k.${email}`, 'VIEWER', { password: PASSWORD });
    expect(await codeOf(first.signIn(`\u212a.${email}`))).toBe('UNAUTHENTICATED');
    expect(await accountOf(rig, await first.signIn(`K.${email.toUpperCase()}`))).toEqual({
      email: `k.${email}`,
      roles: [{ id: first.organizationId, role: 'VIEWER' }],
    });
    const other = await first.create(`\u212a.${email}`, 'VIEWER', { password: NEW_PASSWORD });
    expect(other.status).toBe('ACTIVE');
  });
});
