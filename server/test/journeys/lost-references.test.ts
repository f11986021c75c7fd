import { operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { assetCalls } from '../support/asset-calls.ts';
import { rowsIn } from '../support/database.ts';
import { createTestDatabase } from '../support/postgres.ts';
import { joinServer, type TestOrganization } from '../support/server.ts';

type Operation = Parameters<TestOrganization['call']>[0];

let server: TestOrganization;

beforeAll(async () => {
  server = await joinServer();
});

async function made(operation: Operation, body: object): Promise<{ readonly id: string }> {
  const answer = await server.call(operation, { body });
  expect(answer.status, answer.text).toBe(201);
  return answer.body;
}

const removed = async (operation: Operation, params: Record<string, string>) =>
  expect((await server.call(operation, { params })).status).toBe(204);

const newWebhook = async () =>
  (await made(operations.createWebhook, { name: 'Pager', url: 'https://example.com/' })).id;

async function newPolicy(): Promise<string> {
  const targets = [{ kind: 'WEBHOOK', webhookId: await newWebhook() }];
  const steps = [{ afterSeconds: 0, targets }];
  return (await made(operations.createEscalationPolicy, { name: 'Night', steps })).id;
}

async function groupWithPolicy() {
  const escalationPolicyId = await newPolicy();
  const { id } = await made(operations.createAlarmGroup, {
    ...{ name: 'Group', escalationPolicyId, reminderMinutes: 5 },
  });
  return {
    id,
    lose: () => removed(operations.deleteEscalationPolicy, { policyId: escalationPolicyId }),
  };
}

async function groupWithWebhook() {
  const webhookId = await newWebhook();
  const subscriptions = [{ kind: 'WEBHOOK', webhookId }];
  const { id } = await made(operations.createAlarmGroup, { name: 'Group', subscriptions });
  return { id, lose: () => removed(operations.deleteWebhook, { webhookId }) };
}

async function assetWithVariables() {
  const calls = assetCalls(server);
  const { id } = await calls.made();
  const deviceId = await calls.newDevice();
  const variables = [await calls.newVariable({}, deviceId), await calls.newVariable({}, deviceId)];
  await calls.bindMany(
    id,
    variables.map((variable) => variable.id),
  );
  return { id, deviceId, variableId: variables[0].id as string };
}

describe('a record that lost what it names', () => {
  const group = {
    retrieve: operations.retrieveAlarmGroup,
    update: operations.updateAlarmGroup,
    params: (alarmGroupId: string) => ({ alarmGroupId }),
  };
  const asset = {
    retrieve: operations.retrieveAsset,
    update: operations.updateAsset,
    params: (assetId: string) => ({ assetId }),
  };
  it.each([
    ['an alarm group its escalation policy', group, groupWithPolicy],
    ['an alarm group a webhook', group, groupWithWebhook],
    [
      'an Asset a bound Variable',
      asset,
      async () => {
        const { id, ...params } = await assetWithVariables();
        return { id, lose: () => removed(operations.deleteVariable, params) };
      },
    ],
    [
      'an Asset the Variables of a Device',
      asset,
      async () => {
        const { id, deviceId } = await assetWithVariables();
        return { id, lose: () => removed(operations.deleteDevice, { deviceId }) };
      },
    ],
  ])(
    'has another entity tag, so that an edit of the former record is refused: %s',
    async (_, kind, create) => {
      const { id, lose } = await create();
      const params = kind.params(id) as Record<string, string>;
      const tag = async () =>
        (await server.call(kind.retrieve, { params })).headers.get('etag') ?? '';
      const edit = async (etag: string) => {
        const headers = { 'if-match': etag };
        return (await server.call(kind.update, { params, headers, body: { name: 'Other' } }))
          .status;
      };
      const before = await tag();
      await lose();
      expect(await edit(before)).toBe(412);
      expect(await edit(await tag())).toBe(200);
    },
  );
});

it('the reminders of an alarm group end with its escalation policy', async () => {
  const { id, lose } = await groupWithPolicy();
  await lose();
  const { status, body } = await server.call(operations.updateAlarmGroup, {
    params: { alarmGroupId: id },
    body: { escalationPolicyId: await newPolicy() },
  });
  expect(status).toBe(200);
  expect(body).not.toHaveProperty('reminderMinutes');
});

it('whatever sets a reference of a record with a revision to null counts as a change of it', async () => {
  const database = await createTestDatabase();
  const uncounted = await rowsIn(
    database.url,
    `select conrelid::regclass::text as "table", attname as "column"
     from pg_constraint
     join pg_attribute on attrelid = conrelid and attnum = any(coalesce(confdelsetcols, conkey))
     where confdeltype = 'n'
       and exists (select from pg_attribute
                   where attrelid = conrelid and attname = 'revision' and not attisdropped)
       and not exists (select from pg_trigger
                       where tgrelid = conrelid and not tgisinternal and attnum = any(tgattr))`,
  ).finally(database.drop);
  expect(uncounted).toEqual([]);
});
