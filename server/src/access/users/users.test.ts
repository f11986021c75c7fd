import { operations, type Role } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AccessRig,
  accountOf,
  codeOf,
  createAccessRig,
  createOrganization,
  failureOf,
  PASSWORD,
} from '../../../test/support/access.ts';
import { createMembers, type Members } from '../../../test/support/members.ts';

let rig: AccessRig;
let organizationId: string;
let key: string;
let emailOf: Members['emailOf'];
let list: Members['list'];
let create: Members['create'];
let update: Members['update'];
let remove: Members['remove'];
let signIn: Members['signIn'];

beforeAll(async () => {
  rig = await createAccessRig();
});
afterAll(() => rig.stop());
beforeEach(async () => {
  ({ organizationId, key, emailOf, list, create, update, remove, signIn } =
    await createMembers(rig));
});

describe('a new member', () => {
  it('with a password is active and can sign in', async () => {
    const user = await create(emailOf('Ada'), 'EDITOR', {
      name: 'Ada',
      password: PASSWORD,
    });
    expect(user).toMatchObject({
      email: emailOf('Ada'),
      name: 'Ada',
      role: 'EDITOR',
      status: 'ACTIVE',
      lastSignInDateTime: null,
    });
    expect(user).not.toHaveProperty('invitationToken');
    await signIn(emailOf('ada'));
    const seen = await rig.call(operations.retrieveUser, {
      auth: key,
      params: { organizationId, userId: user.id },
    });
    expect(seen.lastSignInDateTime).not.toBeNull();
  });

  it('without a password is invited', async () => {
    const user = await create(emailOf('ada'), 'EDITOR');
    expect(user.status).toBe('INVITED');
    expect(user.invitationToken).toHaveLength(43);
  });

  it('is refused when a member has the email already, in any case', async () => {
    await create(emailOf('ada'), 'EDITOR');
    const failure = await failureOf(create(emailOf('ADA'), 'VIEWER'));
    expect(failure.code).toBe('CONFLICT');
    expect((await list()).count).toBe(2);
  });

  it('is made once of ten requests at the same time', async () => {
    const outcomes = await Promise.allSettled(
      Array.from({ length: 10 }, () => create(emailOf('ada'), 'EDITOR')),
    );
    expect(outcomes.filter(({ status }) => status === 'fulfilled')).toHaveLength(1);
    const refused = outcomes.flatMap((one) => (one.status === 'rejected' ? [one.reason] : []));
    expect(refused.map(({ code }) => code)).toEqual(Array(9).fill('CONFLICT'));
  });
});

describe('a user of another organization', () => {
  let elsewhere: Awaited<ReturnType<typeof createOrganization>>;
  let email: string;
  beforeEach(async () => {
    email = emailOf('elsewhere');
    elsewhere = await createOrganization(rig, email);
  });

  it('is invited, keeps the password, and belongs to nothing new before they accept', async () => {
    const user = await create(email.toUpperCase(), 'VIEWER');
    expect(user).toMatchObject({ email, status: 'INVITED', role: 'VIEWER', name: null });
    expect(user.invitationToken).toMatch(/^[\w-]{43}$/);
    const me = await rig.call(operations.retrieveMe, { auth: await signIn(email) });
    expect(me.organizations.map(({ role }) => role)).toEqual(['ADMINISTRATOR']);
  });

  it('is refused together with a password, and nothing changes', async () => {
    const failure = await failureOf(create(email, 'VIEWER', { password: 'a password of ours' }));
    expect(failure.code).toBe('CONFLICT');
    expect(failure.message).toMatch(/leave the password out/);
    expect((await list()).count).toBe(1);
    expect(await accountOf(rig, await signIn(email))).toEqual({
      email,
      roles: [{ id: elsewhere.organizationId, role: 'ADMINISTRATOR' }],
    });
  });

  it('has a name of their own in each organization', async () => {
    const { id } = await create(email, 'VIEWER', { name: 'Ours' });
    const there = await rig.call(operations.retrieveUser, {
      auth: elsewhere.key,
      params: { organizationId: elsewhere.organizationId, userId: id },
    });
    expect(there.name).toBeNull();
  });

  it('stays a user with their sessions when removed from one of the two', async () => {
    const { id } = await create(email, 'VIEWER');
    const session = await signIn(email);
    await remove(id);
    const me = await rig.call(operations.retrieveMe, { auth: session });
    expect(me.organizations.map(({ id }) => id)).toEqual([elsewhere.organizationId]);
  });

  it('cannot be seen, changed or removed from here', async () => {
    const { items } = await rig.call(operations.listUsers, {
      auth: elsewhere.key,
      params: { organizationId: elsewhere.organizationId },
    });
    const userId = items[0]?.id ?? '';
    const params = { organizationId, userId };
    expect(await codeOf(rig.call(operations.retrieveUser, { auth: key, params }))).toBe(
      'NOT_FOUND',
    );
    expect(await codeOf(update(userId, { role: 'VIEWER' }))).toBe('NOT_FOUND');
    expect(await codeOf(remove(userId))).toBe('NOT_FOUND');
    expect((await list()).items.map(({ id }) => id)).not.toContain(userId);
  });
});

describe('the list of members', () => {
  it('is newest first, counts all and gives the page', async () => {
    for (const name of ['a', 'b', 'c']) await create(emailOf(name), 'VIEWER');
    const page = await list({ skip: 1, take: 2 });
    expect(page.count).toBe(4);
    expect(page.items.map(({ email }) => email[0])).toEqual(['b', 'a']);
    expect(await list({ skip: 100 })).toEqual({ count: 4, items: [] });
  });

  it('is searched by email and name, in any case, and literally', async () => {
    await create(emailOf('one'), 'VIEWER', { name: 'Ünal 100%_\\' });
    await create(emailOf('two'), 'VIEWER', { name: 'Other' });
    const found = async (search: string) => (await list({ search })).items.map(({ name }) => name);
    expect(await found('ÜNAL')).toEqual(['Ünal 100%_\\']);
    expect(await found('%_\\')).toEqual(['Ünal 100%_\\']);
    expect(await found('TWO-')).toEqual(['Other']);
    expect(await found('1%0')).toEqual([]);
    expect(await found('_')).toEqual(['Ünal 100%_\\']);
    expect((await list({ search: '' })).count).toBe(3);
    await create(`ÉCOLE-${emailOf('three')}`, 'VIEWER', { name: 'School' });
    expect(await found('école')).toEqual(['School']);
    expect(await found('École-THREE')).toEqual(['School']);
  });

  it('is filtered by roles', async () => {
    await create(emailOf('one'), 'VIEWER');
    await create(emailOf('two'), 'EDITOR');
    const roles = async (wanted: Role[]) =>
      (await list({ roles: wanted })).items.map(({ role }) => role);
    expect(await roles(['VIEWER', 'EDITOR'])).toEqual(['EDITOR', 'VIEWER']);
    expect(await roles(['ADMINISTRATOR'])).toEqual(['ADMINISTRATOR']);
    expect(await roles([])).toHaveLength(3);
  });
});

describe('an update', () => {
  it('changes what it names, raises the revision and is recorded in the audit log', async () => {
    const { id } = await create(emailOf('ada'), 'VIEWER', { name: 'Ada' });
    const params = { organizationId, userId: id };
    const answer = await rig.answer(operations.updateUser, {
      auth: key,
      params,
      body: { role: 'EDITOR', name: null },
    });
    expect(answer).toMatchObject({ revision: 2, body: { role: 'EDITOR', name: null } });
    const log = await rig.call(operations.listAuditLog, {
      auth: key,
      params: { organizationId },
      query: { resourceId: id },
    });
    expect(log.items[0]).toMatchObject({
      operation: 'updateUser',
      changes: [
        { field: 'name', from: 'Ada', to: null },
        { field: 'role', from: 'VIEWER', to: 'EDITOR' },
      ],
    });
  });

  it('that changes nothing leaves no trace', async () => {
    const { id } = await create(emailOf('ada'), 'VIEWER', { name: 'Ada' });
    const body = { name: 'Ada', role: 'VIEWER' as const };
    const params = { organizationId, userId: id };
    const answer = await rig.answer(operations.updateUser, { auth: key, params, body });
    expect(answer).toMatchObject({ revision: 1, changes: [] });
  });

  it('of an older revision is refused', async () => {
    const { id } = await create(emailOf('ada'), 'VIEWER');
    await update(id, { name: 'Ada' });
    const stale = { auth: key, params: { organizationId, userId: id }, ifMatch: '"1-abc"' };
    expect(await codeOf(rig.call(operations.updateUser, { ...stale, body: { name: 'B' } }))).toBe(
      'PRECONDITION_FAILED',
    );
    expect(await codeOf(rig.call(operations.deleteUser, stale))).toBe('PRECONDITION_FAILED');
    const fresh = { ...stale, ifMatch: '"2-abc"' };
    await expect(rig.call(operations.deleteUser, fresh)).resolves.toBeUndefined();
  });
});
