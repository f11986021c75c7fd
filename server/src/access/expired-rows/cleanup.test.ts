import { operations } from '@fieldwatch/contract';
import { afterEach, beforeEach, describe, expect, it } from 'vitest';
import {
  type AccessRig,
  createAccessRig,
  createOrganization,
  PASSWORD,
} from '../../../test/support/access.ts';

const DAY = 24 * 60 * 60_000;

let rig: AccessRig;
let organization: Awaited<ReturnType<typeof createOrganization>>;
beforeEach(async () => {
  rig = await createAccessRig();
  organization = await createOrganization(rig);
});
afterEach(() => rig.stop());

const countOf = async (table: string) => {
  const [row] = await rig.storage.query<{ count: number }>(`select count(*) from ${table}`);
  return row?.count;
};

describe('the cleanup of expired rows', () => {
  it('deletes sessions, refresh tokens and invitations once they have expired', async () => {
    const body = { email: organization.adminEmail, password: PASSWORD };
    const { refreshToken } = await rig.call(operations.createToken, { body });
    await rig.call(operations.refreshToken, { body: { refreshToken } });
    await rig.call(operations.createUser, {
      auth: organization.key,
      params: { organizationId: organization.organizationId },
      body: { email: 'invited@example.com', role: 'VIEWER' },
    });
    const now = rig.clock.now();
    expect(await rig.access.deleteExpired(now)).toBe(0);
    await rig.access.deleteExpired(now + 8 * DAY);
    expect(await countOf('refresh_tokens')).toBe(0);
    expect(await countOf('invitations')).toBe(0);
    expect(await countOf('sessions')).toBe(1);
    await rig.access.deleteExpired(now + 31 * DAY);
    expect(await countOf('sessions')).toBe(0);
    expect(await countOf('users')).toBe(2);
    expect(await countOf('api_keys')).toBe(1);
  });

  it('deletes idempotency keys after a day, in as many batches as it takes', async () => {
    const now = rig.clock.now();
    const stamp = (time: number) => new Date(time).toISOString();
    await rig.storage.query(
      `insert into idempotency_keys (credential, operation, key, request_hash, created_at)
       select 'c', 'o', n::text, 'x', $1 from generate_series(1, 2500) n`,
      [stamp(now - DAY)],
    );
    await rig.storage.query(
      `insert into idempotency_keys (credential, operation, key, request_hash, created_at)
       values ('c', 'o', 'young', 'x', $1)`,
      [stamp(now - DAY + 60_000)],
    );
    expect(await rig.access.deleteExpired(now)).toBe(2500);
    expect(await countOf('idempotency_keys')).toBe(1);
  });

  it('can be started and stopped twice', async () => {
    rig.access.start();
    rig.access.start();
    await rig.access.stop();
    await rig.access.stop();
  });
});
