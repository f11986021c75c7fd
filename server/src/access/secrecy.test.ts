import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, expect, it } from 'vitest';
import {
  type AccessRig,
  basicAuth,
  bearerAuth,
  createAccessRig,
  createOrganization,
  failureOf,
  PASSWORD,
} from '../../test/support/access.ts';
import { createSecrets } from './secrets/index.ts';

let rig: AccessRig;
beforeAll(async () => {
  rig = await createAccessRig();
});
afterAll(() => rig.stop());

it('no password, secret or token reaches the log, a failure, the audit log or any table', async () => {
  const made = await createOrganization(rig);
  const params = { organizationId: made.organizationId };
  const canaries = [PASSWORD, made.apiKeySecret, 'canary new password', 'canary wrong password'];
  const failures: unknown[] = [];

  const key = await rig.call(operations.createApiKey, {
    auth: made.key,
    params,
    body: { name: 'A key', permissions: ['ReadAssets'] },
  });
  const invited = await rig.call(operations.createUser, {
    auth: made.key,
    params,
    body: { email: 'invited@example.com', role: 'VIEWER' },
  });
  const redeemed = await rig.call(operations.redeemInvitation, {
    body: { token: invited.invitationToken ?? '', password: 'canary invited password' },
  });
  const body = { email: made.adminEmail, password: PASSWORD };
  const tokens = await rig.call(operations.createToken, { body });
  const next = await rig.call(operations.refreshToken, {
    body: { refreshToken: tokens.refreshToken },
  });
  await rig.call(operations.changePassword, {
    auth: bearerAuth(next.accessToken),
    body: { currentPassword: PASSWORD, newPassword: 'canary new password' },
  });
  for (const fail of [
    () =>
      rig.call(operations.createToken, { body: { ...body, password: 'canary wrong password' } }),
    () => rig.call(operations.refreshToken, { body: { refreshToken: tokens.refreshToken } }),
    () =>
      rig.call(operations.redeemInvitation, {
        body: { token: invited.invitationToken ?? '', password: 'canary new password' },
      }),
    () => rig.access.authenticate(basicAuth(key.id, 'canary wrong password'), '192.0.2.1'),
  ]) {
    const { message, code, errors, cause } = await failureOf(fail());
    failures.push({ message, code, errors, cause });
  }
  canaries.push(
    ...[key.secret, invited.invitationToken ?? '', 'canary invited password'],
    ...[redeemed, tokens, next].flatMap((one) => [one.accessToken, one.refreshToken]),
  );

  const tables = await rig.storage.query<{ name: string }>(
    `select table_name as name from information_schema.tables where table_schema = 'public'`,
  );
  const stored = [];
  for (const { name } of tables) {
    stored.push(await rig.storage.query(`select t::text as row from ${name} t`));
  }
  expect(stored.flat().length).toBeGreaterThan(10);
  const everything = [...rig.logLines, JSON.stringify(failures), JSON.stringify(stored)].join('\n');
  expect(everything).toContain('a used refresh token came again');
  for (const canary of canaries) {
    expect(canary.length).toBeGreaterThan(10);
    expect(everything).not.toContain(canary);
  }
});

it('an unknown email costs the same work as a known one', async () => {
  const secrets = createSecrets();
  const checked: (string | null)[] = [];
  const other = await createAccessRig({
    databaseUrl: rig.databaseUrl,
    secrets: {
      ...secrets,
      verifyPassword(stored, presented) {
        checked.push(stored);
        return secrets.verifyPassword(stored, presented);
      },
    },
  });
  for (const email of ['admin@example.com', 'nobody@example.com']) {
    await failureOf(other.call(operations.createToken, { body: { email, password: PASSWORD } }));
  }
  await other.stop();
  expect(checked).toEqual([expect.stringMatching(/^\$argon2id/), null]);
});
