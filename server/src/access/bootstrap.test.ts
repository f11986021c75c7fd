import { KEY_PERMISSIONS, operations, ROLE_PERMISSIONS } from '@fieldwatch/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AccessRig,
  accountOf,
  basicAuth,
  bearerAuth,
  callerOf,
  createAccessRig,
  PASSWORD,
} from '../../test/support/access.ts';
import type { BootstrapSettings } from './index.ts';

const nothing: BootstrapSettings = {
  organizationId: null,
  adminEmail: 'admin@example.com',
  adminPassword: null,
  apiKeyId: null,
  apiKeySecret: null,
};

let rig: AccessRig;
beforeEach(async () => {
  rig = await createAccessRig();
});
afterEach(() => rig.stop());

async function make(settings: BootstrapSettings, on = rig) {
  const made = await on.access.bootstrap(settings);
  if (!made.created) throw new Error('nothing was made');
  return made;
}

async function signIn(email: string, password: string): Promise<string> {
  const { accessToken } = await rig.call(operations.createToken, { body: { email, password } });
  return bearerAuth(accessToken);
}

const administratorOf = (organizationId: string, email: string) => ({
  email,
  roles: [{ id: organizationId, role: 'ADMINISTRATOR' }],
});

describe('the first start', () => {
  it('makes an organization, an administrator and a key, generating what is not given', async () => {
    const made = await make(nothing);
    const session = await signIn(made.adminEmail, made.adminPassword ?? '');
    expect(await accountOf(rig, session)).toEqual(
      administratorOf(made.organizationId, made.adminEmail),
    );
    const organization = await rig.call(operations.retrieveOrganization, {
      auth: basicAuth(made.apiKeyId, made.apiKeySecret),
      params: { organizationId: made.organizationId },
    });
    expect(organization).toMatchObject({ id: made.organizationId, name: 'My organization' });
  });

  it('gives a generated key the permissions of an Editor, and none over access', async () => {
    const made = await make(nothing);
    const auth = basicAuth(made.apiKeyId, made.apiKeySecret);
    const caller = await rig.access.authenticate(auth, '192.0.2.1');
    const held = [...(caller.permissionsIn(made.organizationId) ?? [])].sort();
    const editor = KEY_PERMISSIONS.filter((one) => ROLE_PERMISSIONS.EDITOR.includes(one));
    expect(held).toEqual([...editor].sort());
    for (const power of ['ManageApiKeys', 'ManageUsers', 'ReadAuditLog', 'ReadNodes']) {
      expect(held).not.toContain(power);
    }
  });

  it.each([{ apiKeyId: 'asked-for' }, { apiKeySecret: 'a secret that the operator chose' }])(
    'gives a key with the configured %j every permission that a key may hold',
    async (configured) => {
      const made = await make({ ...nothing, ...configured });
      const auth = basicAuth(made.apiKeyId, made.apiKeySecret);
      const caller = await rig.access.authenticate(auth, '192.0.2.1');
      expect(caller.permissionsIn(made.organizationId)).toEqual(new Set(KEY_PERMISSIONS));
    },
  );

  it('takes what is given, a secret without the white space at its end', async () => {
    const organizationId = rig.newId();
    const settings = {
      organizationId,
      adminEmail: 'Operator@Example.com',
      adminPassword: PASSWORD,
      apiKeyId: 'my-key',
      apiKeySecret: 'my: secret\n',
    };
    expect(await make(settings)).toEqual({
      ...settings,
      created: true,
      adminInvitationToken: null,
      apiKeySecret: 'my: secret',
    });
    const auth = basicAuth('my-key', 'my: secret\n');
    expect(await callerOf(rig, auth, organizationId)).toEqual({
      kind: 'API_KEY',
      id: 'my-key',
      permissions: [...KEY_PERMISSIONS].sort(),
    });
    const session = await signIn('operator@example.com', PASSWORD);
    expect(await accountOf(rig, session)).toEqual(
      administratorOf(organizationId, 'Operator@Example.com'),
    );
    const [row] = await rig.storage.query<{ hash: string }>(
      'select secret_hash as hash from api_keys',
    );
    expect(row?.hash).toMatch(/^\$argon2id\$/);
  });

  it('is recorded in the audit log as done by the service itself', async () => {
    const made = await make({ ...nothing, apiKeyId: 'auditor' });
    const { items } = await rig.call(operations.listAuditLog, {
      auth: basicAuth(made.apiKeyId, made.apiKeySecret),
      params: { organizationId: made.organizationId },
    });
    expect(items.map(({ resource }) => resource).sort()).toEqual([
      'ApiKey',
      'Organization',
      'User',
    ]);
    expect(new Set(items.map(({ actor }) => actor.kind))).toEqual(new Set(['SYSTEM']));
    const text = JSON.stringify(items);
    expect(text).not.toContain(made.apiKeySecret);
    expect(text).not.toContain(made.adminPassword);
  });
});

describe('a later start', () => {
  it('makes nothing when there is an organization', async () => {
    const { organizationId } = await make(nothing);
    const again = { created: false, organizationId };
    expect(await rig.access.bootstrap(nothing)).toEqual(again);
    expect(await rig.access.bootstrap({ ...nothing, organizationId })).toEqual(again);
  });

  it('that names another organization makes it, and only invites a known administrator', async () => {
    await make({ ...nothing, adminPassword: PASSWORD });
    const second = await make({
      ...nothing,
      organizationId: rig.newId(),
      adminEmail: 'ADMIN@example.com',
    });
    expect(second.adminPassword).toBeNull();
    const auth = await signIn('admin@example.com', PASSWORD);
    const before = await rig.call(operations.retrieveMe, { auth });
    expect(before.organizations).toHaveLength(1);
    const token = second.adminInvitationToken ?? '';
    await rig.call(operations.redeemInvitation, { body: { token, password: PASSWORD } });
    const me = await rig.call(operations.retrieveMe, { auth });
    expect(me.organizations.map(({ role }) => role)).toEqual(['ADMINISTRATOR', 'ADMINISTRATOR']);
  });

  it('refuses a known administrator together with a password, naming the setting', async () => {
    const { organizationId } = await make({ ...nothing, adminPassword: PASSWORD });
    const settings = {
      ...nothing,
      organizationId: rig.newId(),
      adminEmail: 'ADMIN@example.com',
      adminPassword: 'not taken over at all',
    };
    await expect(rig.access.bootstrap(settings)).rejects.toThrow(/^FIELDWATCH_ADMIN_PASSWORD/);
    expect(await rig.storage.query('select id from organizations')).toHaveLength(1);
    const session = await signIn('admin@example.com', PASSWORD);
    expect(await accountOf(rig, session)).toEqual(
      administratorOf(organizationId, 'admin@example.com'),
    );
  });

  it('refuses a key id that another organization has, naming the setting', async () => {
    await make({ ...nothing, apiKeyId: 'taken' });
    const settings = { ...nothing, organizationId: rig.newId(), apiKeyId: 'taken' };
    await expect(rig.access.bootstrap(settings)).rejects.toThrow(/^FIELDWATCH_API_KEY_ID/);
    const rows = await rig.storage.query('select id from organizations');
    expect(rows).toHaveLength(1);
  });
});

describe('two servers that start at the same time', () => {
  it('make one organization between them', async () => {
    const other = await createAccessRig({ databaseUrl: rig.databaseUrl });
    const results = await Promise.all([
      rig.access.bootstrap(nothing),
      other.access.bootstrap(nothing),
      rig.access.bootstrap(nothing),
      other.access.bootstrap(nothing),
    ]);
    await other.stop();
    expect(results.filter(({ created }) => created)).toHaveLength(1);
    expect(new Set(results.map(({ organizationId }) => organizationId)).size).toBe(1);
  });
});
