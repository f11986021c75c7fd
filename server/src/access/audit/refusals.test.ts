import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import {
  type AccessRig,
  basicAuth,
  codeOf,
  createAccessRig,
} from '../../../test/support/access.ts';
import { createMembers, type Members } from '../../../test/support/members.ts';

let rig: AccessRig;
let members: Members;

beforeAll(async () => {
  rig = await createAccessRig();
});
afterAll(() => rig.stop());
beforeEach(async () => {
  members = await createMembers(rig);
});

async function entries({ key, organizationId }: Members, operation: string) {
  await rig.access.flushRefusals();
  const { items } = await rig.call(operations.listAuditLog, {
    auth: key,
    params: { organizationId },
  });
  return items.filter((entry) => entry.operation === operation && entry.requestId === null);
}

describe('the audit log', () => {
  it('records failed sign-ins and lock-outs once for each account and address', async () => {
    const fail = (address: string) => {
      const body = { email: members.adminEmail, password: 'wrong' };
      return codeOf(rig.call(operations.createToken, { body, address }));
    };
    for (let time = 0; time < 12; time += 1) await fail('198.51.100.1');
    await fail('198.51.100.2');
    const written = await entries(members, 'createToken');
    const shown = written.map(({ address, changes }) => [
      address,
      changes[0]?.field,
      changes[0]?.to,
    ]);
    expect(shown.sort()).toEqual([
      ['198.51.100.1', 'failedSignIns', 10],
      ['198.51.100.1', 'lockedOutSignIns', 2],
      ['198.51.100.2', 'failedSignIns', 1],
    ]);
    expect(written[0]).toMatchObject({
      actor: { kind: 'SYSTEM' },
      resource: 'User',
      resourceId: await members.administratorId(),
    });
    expect(await entries(members, 'createToken')).toHaveLength(3);
  });

  it('records wrong secrets of a key, and nothing for unknown keys and emails', async () => {
    for (const id of [members.apiKeyId, members.apiKeyId, 'no-key']) {
      await codeOf(rig.access.authenticate(basicAuth(id, 'wrong'), '198.51.100.3'));
    }
    const body = { email: 'nobody@example.com', password: 'wrong' };
    await codeOf(rig.call(operations.createToken, { body }));
    expect(await entries(members, 'authenticate')).toMatchObject([
      {
        resource: 'ApiKey',
        resourceId: members.apiKeyId,
        address: '198.51.100.3',
        changes: [{ field: 'failedAuthentications', to: 2 }],
      },
    ]);
  });

  it('records missing permissions in the organization of the caller and in no other', async () => {
    const caller = await rig.access.authenticate(members.key, '198.51.100.4');
    const neighbour = await createMembers(rig);
    const refusal = { caller, code: 'PERMISSION_MISSING', address: '198.51.100.4' } as const;
    for (const { organizationId } of [members, members, neighbour]) {
      rig.access.recordRefusal({ ...refusal, organizationId, operation: 'deleteUser' });
    }
    expect(await entries(members, 'deleteUser')).toMatchObject([
      {
        actor: { kind: 'API_KEY', id: members.apiKeyId },
        resource: 'Operation',
        resourceId: 'deleteUser',
        changes: [
          { field: 'reason', to: 'PERMISSION_MISSING' },
          { field: 'refusals', to: 2 },
        ],
      },
    ]);
    expect(await entries(neighbour, 'deleteUser')).toEqual([]);
  });

  it('is not filled by guesses: beyond a thousand kinds in a minute they are only counted', async () => {
    for (let one = 0; one < 1_005; one += 1) {
      await codeOf(
        rig.access.authenticate(
          basicAuth(members.apiKeyId, 'wrong'),
          `10.0.${one >> 8}.${one & 255}`,
        ),
      );
    }
    expect(await entries(members, 'authenticate')).toHaveLength(25);
    const [row] = await rig.storage.query<{ count: number }>(
      `select count(*) from audit_log where organization_id = $1 and operation = 'authenticate'`,
      [members.organizationId],
    );
    expect(row?.count).toBe(1_000);
    expect(rig.logLines.join()).toContain('refusals beyond the limit were not written');
  });
});
