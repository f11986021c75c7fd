import { operations } from '@fieldwatch/contract';
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
let emailOf: Members['emailOf'];
let adminEmail: Members['adminEmail'];
let list: Members['list'];
let create: Members['create'];
let update: Members['update'];
let remove: Members['remove'];
let signIn: Members['signIn'];
let keyWith: Members['keyWith'];
let administratorId: Members['administratorId'];

beforeAll(async () => {
  rig = await createAccessRig();
});
afterAll(() => rig.stop());
beforeEach(async () => {
  ({
    organizationId,
    emailOf,
    adminEmail,
    list,
    create,
    update,
    remove,
    signIn,
    keyWith,
    administratorId,
  } = await createMembers(rig));
});

describe('a caller cannot grant a role with permissions that they do not hold', () => {
  it('so a key that manages users alone makes no member of any role', async () => {
    const auth = await keyWith(['ManageUsers']);
    const body = { email: emailOf('ada'), role: 'VIEWER' as const };
    const failure = await failureOf(
      rig.call(operations.createUser, { auth, params: { organizationId }, body }),
    );
    expect(failure.code).toBe('PERMISSION_MISSING');
    expect(failure.message).toMatch(/ReadAlarmConfigurations, ReadAssets, ReadDashboards/);
  });

  it('so a key with the permissions of a viewer makes viewers, not editors', async () => {
    const auth = await keyWith([
      'ManageUsers',
      'ReadAlarmConfigurations',
      'ReadAssets',
      'ReadDashboards',
    ]);
    const params = { organizationId };
    const email = emailOf('ada');
    const { id } = await rig.call(operations.createUser, {
      auth,
      params,
      body: { email, role: 'VIEWER' },
    });
    expect(await codeOf(update(id, { role: 'EDITOR' }, auth))).toBe('PERMISSION_MISSING');
    expect(await update(id, { name: 'Ada', role: 'VIEWER' }, auth)).toMatchObject({
      id,
      email,
      name: 'Ada',
      role: 'VIEWER',
    });
  });
});

describe('the last administrator', () => {
  it('can neither be removed nor lowered', async () => {
    const id = await administratorId();
    expect(await codeOf(remove(id))).toBe('CONFLICT');
    expect(await codeOf(update(id, { role: 'EDITOR' }))).toBe('CONFLICT');
    await expect(update(id, { name: 'Still here' })).resolves.toMatchObject({
      role: 'ADMINISTRATOR',
    });
  });

  it('may go once there is another', async () => {
    await create(emailOf('second'), 'ADMINISTRATOR', { password: PASSWORD });
    await expect(remove(await administratorId())).resolves.toBeUndefined();
  });

  it('may not go while the other has not redeemed the invitation', async () => {
    const id = await administratorId();
    const invited = await create(emailOf('second'), 'ADMINISTRATOR');
    expect(await codeOf(remove(id))).toBe('CONFLICT');
    expect(await codeOf(update(id, { role: 'EDITOR' }))).toBe('CONFLICT');
    await remove(invited.id);
    const { invitationToken } = await create(emailOf('third'), 'ADMINISTRATOR');
    await rig.call(operations.redeemInvitation, {
      body: { token: invitationToken ?? '', password: PASSWORD },
    });
    await expect(remove(id)).resolves.toBeUndefined();
  });

  it('is left when two lower each other at the same time', async () => {
    const second = emailOf('second');
    const { id } = await create(second, 'ADMINISTRATOR', { password: PASSWORD });
    const [first, firstAuth, secondAuth] = [
      await administratorId(),
      await signIn(adminEmail),
      await signIn(second),
    ];
    const outcomes = await Promise.allSettled([
      update(id, { role: 'VIEWER' }, firstAuth),
      update(first, { role: 'VIEWER' }, secondAuth),
    ]);
    expect(outcomes.map(({ status }) => status).sort()).toEqual(['fulfilled', 'rejected']);
    expect((await list({ roles: ['ADMINISTRATOR'] })).count).toBe(1);
  });

  it('is left when twenty administrators are removed and lowered at the same time', async () => {
    const ids = [await administratorId()];
    for (let more = 0; more < 9; more += 1) {
      const email = emailOf(`more-${more}`);
      ids.push((await create(email, 'ADMINISTRATOR', { password: PASSWORD })).id);
    }
    await Promise.allSettled(ids.flatMap((id) => [remove(id), update(id, { role: 'VIEWER' })]));
    expect((await list({ roles: ['ADMINISTRATOR'] })).count).toBe(1);
  });
});

describe('a removed member', () => {
  it('who belongs nowhere else is deleted with their sessions, and can be added again', async () => {
    const email = emailOf('ada');
    const { id } = await create(email, 'VIEWER', { password: PASSWORD });
    const session = await signIn(email);
    await remove(id);
    expect(await codeOf(rig.call(operations.retrieveMe, { auth: session }))).toBe(
      'UNAUTHENTICATED',
    );
    expect(await codeOf(signIn(email))).toBe('UNAUTHENTICATED');
    expect(await codeOf(remove(id))).toBe('NOT_FOUND');
    const again = await create(email, 'VIEWER', { password: 'quite another one' });
    expect(again.id).not.toBe(id);
    expect(await accountOf(rig, await signIn(email, 'quite another one'))).toEqual({
      email,
      roles: [{ id: organizationId, role: 'VIEWER' }],
    });
  });

  it('who joins another organization at the same time ends up in it or was never there', async () => {
    const other = await createOrganization(rig, emailOf('other'));
    const email = emailOf('ada');
    const { id } = await create(email, 'VIEWER', { password: PASSWORD });
    await Promise.all([
      remove(id),
      rig.call(operations.createUser, {
        auth: other.key,
        params: { organizationId: other.organizationId },
        body: { email, role: 'VIEWER' },
      }),
    ]);
    const there = await rig.call(operations.listUsers, {
      auth: other.key,
      params: { organizationId: other.organizationId },
      query: { search: email },
    });
    expect(there.count).toBe(1);
    expect((await list({ search: email })).count).toBe(0);
  });

  it('who is added again while they are being deleted is a new user', async () => {
    const email = emailOf('ada');
    const { id } = await create(email, 'VIEWER');
    const waiting = async () => {
      const [row] = await rig.storage.query<{ count: number }>(
        `select count(*) from pg_stat_activity
         where datname = current_database() and wait_event_type = 'Lock'`,
      );
      return row?.count ?? 0;
    };
    let adding: Promise<{ id: string }> | undefined;
    await rig.storage.transaction(async (tx) => {
      await tx.query('delete from users where id = $1', [id]);
      adding = create(email, 'EDITOR');
      adding.catch(() => undefined);
      await expect.poll(waiting, { timeout: 10_000 }).toBeGreaterThan(0);
    });
    expect((await adding)?.id).not.toBe(id);
  });
});

describe('an administrator', () => {
  it('is changed, lowered and removed only by credentials that hold all that they hold', async () => {
    const { id } = await create(emailOf('second'), 'ADMINISTRATOR', { password: PASSWORD });
    const weak = await keyWith(['ManageUsers', 'ReadAuditLog']);
    for (const attempt of [
      () => update(id, { role: 'VIEWER' }, weak),
      () => update(id, { name: 'Renamed' }, weak),
      () => remove(id, weak),
    ]) {
      const failure = await failureOf(attempt());
      expect(failure.code).toBe('PERMISSION_MISSING');
      expect(failure.message).toContain('DeleteDevice');
    }
    expect((await list({ search: emailOf('second') })).items[0]?.role).toBe('ADMINISTRATOR');
    const viewer = await create(emailOf('viewer'), 'VIEWER', { password: PASSWORD });
    expect(await update(viewer.id, { name: 'Renamed' }, weak)).toMatchObject({
      id: viewer.id,
      name: 'Renamed',
      role: 'VIEWER',
    });
    await remove(viewer.id, weak);
    await update(id, { role: 'VIEWER' }, await signIn(adminEmail));
  });

  it('who only is invited does not let the last one go', async () => {
    const other = await createOrganization(rig, emailOf('elsewhere'));
    await create(other.adminEmail, 'ADMINISTRATOR');
    expect(await codeOf(remove(await administratorId()))).toBe('CONFLICT');
    expect(await codeOf(update(await administratorId(), { role: 'EDITOR' }))).toBe('CONFLICT');
  });
});

describe('how long history is kept', () => {
  it('is changed only together with the permission to delete it', async () => {
    const set = async (auth: string, body: object) =>
      rig.call(operations.updateOrganization, { auth, params: { organizationId }, body });
    const weak = await keyWith(['ManageUsers']);
    const failure = await failureOf(set(weak, { retentionDays: 1 }));
    expect([failure.code, failure.message]).toEqual([
      'PERMISSION_MISSING',
      expect.stringContaining('DeleteVariable'),
    ]);
    expect((await set(weak, { name: 'Renamed' })).retentionDays).toBeNull();
    const strong = await keyWith(['ManageUsers', 'DeleteVariable']);
    expect((await set(strong, { retentionDays: 1 })).retentionDays).toBe(1);
  });
});
