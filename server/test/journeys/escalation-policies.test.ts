import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { rowsIn } from '../support/database.ts';
import { type Neighbours, startNeighbours } from '../support/neighbours.ts';
import type { TestServer } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';

let neighbours: Neighbours;
let server: TestServer;
let neighbour: TestServer;
let webhookId = '';
let target: object;

type Fields = Record<string, unknown>;

const toWebhook = (id: string) => ({ kind: 'WEBHOOK', webhookId: id });
const step = (fields: Fields = {}) => ({ afterSeconds: 0, targets: [target], ...fields });
const create = (body: Fields = {}, at = server) =>
  at.call(operations.createEscalationPolicy, { body: { name: 'Night', steps: [step()], ...body } });
const update = (policyId: string, body: Fields, headers: Record<string, string> = {}) =>
  server.call(operations.updateEscalationPolicy, { params: { policyId }, body, headers });
const retrieve = (policyId: string, at = server) =>
  at.call(operations.retrieveEscalationPolicy, { params: { policyId } });
const remove = (policyId: string) =>
  server.call(operations.deleteEscalationPolicy, { params: { policyId } });
const newWebhook = async (at = server) =>
  (await at.call(operations.createWebhook, { body: { name: 'Hook', url: 'https://example.com/' } }))
    .body.id;
const newGroup = async (body: Fields = {}) =>
  await server.call(operations.createAlarmGroup, { body: { name: 'Group', ...body } });
const pathsOf = ({ body }: { body: { errors?: { path: string }[] } }) =>
  (body.errors ?? []).map(({ path }) => path);

beforeAll(async () => {
  neighbours = await startNeighbours();
  ({ server, neighbour } = neighbours);
  webhookId = await newWebhook();
  target = toWebhook(webhookId);
});

afterAll(() => neighbours.stop());

describe('an escalation policy', () => {
  it('is created with defaults, retrieved, listed, changed and deleted', async () => {
    const { status, body, headers } = await create({ name: 'Night shift' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      name: 'Night shift',
      description: null,
      steps: [{ afterSeconds: 0, targets: [target], unless: 'ACKNOWLEDGED' }],
      repeat: 0,
      acknowledgeTimeoutSeconds: null,
      groupSeconds: 60,
      groupBy: 'LOCATION',
      warnings: [],
      createdDateTime: body.createdDateTime,
      updatedDateTime: body.createdDateTime,
    });
    expect(headers.get('location')).toContain(`/escalation-policies/${body.id}`);
    expect((await retrieve(body.id)).body).toEqual(body);
    const listed = await server.call(operations.listEscalationPolicies, {
      query: 'search=night%20s',
    });
    expect(listed.body).toEqual({ count: 1, items: [body] });

    const changes = { repeat: 3, acknowledgeTimeoutSeconds: 900, groupBy: 'NONE' };
    const changed = await update(body.id, changes);
    expect(changed.body).toMatchObject({ ...changes, name: 'Night shift', groupSeconds: 60 });
    expect((await update(body.id, { repeat: 1 }, { 'if-match': '"1"' })).status).toBe(412);
    expect((await remove(body.id)).status).toBe(204);
    expect((await retrieve(body.id)).status).toBe(404);
  });

  it('of another organization is as unknown', async () => {
    const { body } = await create();
    expect((await retrieve(body.id, neighbour)).status).toBe(404);
    expect((await newGroup({ escalationPolicyId: UNKNOWN })).status).toBe(400);
    const other = await neighbour.call(operations.createAlarmGroup, {
      body: { name: 'Group', escalationPolicyId: body.id },
    });
    expect(pathsOf(other)).toEqual(['escalationPolicyId']);
  });

  it.each([
    ['repeat', 9, 10],
    ['groupSeconds', 600, 601],
    ['acknowledgeTimeoutSeconds', 604_800, 604_801],
    ['acknowledgeTimeoutSeconds', 60, 59],
  ])('takes %s up to %i and refuses %i', async (field, good, bad) => {
    expect((await create({ [field]: good })).status).toBe(201);
    const refused = await create({ [field]: bad });
    expect(refused.status).toBe(400);
    expect(pathsOf(refused)).toEqual([field]);
  });

  it('without a step or without a target is refused, since it would page nobody', async () => {
    expect(pathsOf(await create({ steps: [] }))).toEqual(['steps']);
    expect(pathsOf(await create({ steps: [step({ targets: [] })] }))).toEqual(['steps[0].targets']);
    expect((await create({ steps: Array.from({ length: 20 }, () => step()) })).status).toBe(201);
    expect(pathsOf(await create({ steps: Array.from({ length: 21 }, () => step()) }))).toEqual([
      'steps',
    ]);
  });

  it('names each target that does not exist here, and each that is repeated', async () => {
    const foreign = await newWebhook(neighbour);
    const targets = [target, toWebhook(UNKNOWN), toWebhook(foreign), target];
    expect(pathsOf(await create({ steps: [step(), step({ targets })] }))).toEqual([
      'steps[1].targets[1]',
      'steps[1].targets[2]',
      'steps[1].targets[3]',
    ]);
    const user = { kind: 'USER', userId: UNKNOWN };
    expect(pathsOf(await create({ steps: [step({ targets: [user] })] }))).toEqual([
      'steps[0].targets[0]',
    ]);
  });
});

describe('the warnings of an escalation policy', () => {
  it('say nothing of mail where a person has another verified contact method', async () => {
    const { body: user } = await server.call(operations.createUser, {
      body: { email: 'phone@example.com', role: 'EDITOR', password: 'correct horse battery' },
    });
    const { body } = await create({
      steps: [step({ targets: [{ kind: 'USER', userId: user.id }] })],
    });
    expect((await retrieve(body.id)).body.warnings).toHaveLength(1);
    await rowsIn(
      server.databaseUrl,
      `insert into contact_methods (organization_id, id, user_id, kind, address, position,
         verified_at, created_at, updated_at)
       values ($1, gen_random_uuid(), $2, 'SMS', '+4915112345678', 0, now(), now(), now())`,
      [server.organizationId, user.id],
    );
    expect((await retrieve(body.id)).body.warnings).toEqual([]);
  });

  it('say of each target that nobody would be reached by what to do', async () => {
    const invited = await server.call(operations.createUser, {
      body: { email: 'ann@example.com', role: 'EDITOR' },
    });
    const group = await newGroup({ name: 'Nobody' });
    const gone = await newWebhook();
    const { body } = await create({
      steps: [
        step({ targets: [{ kind: 'USER', userId: invited.body.id }, toWebhook(gone), target] }),
        step({ targets: [{ kind: 'ALARM_GROUP', alarmGroupId: group.body.id }] }),
      ],
    });
    await server.call(operations.deleteWebhook, { params: { webhookId: gone } });
    const params = { webhookId };
    await server.call(operations.updateWebhook, { params, body: { isActive: false } });
    const { warnings } = (await retrieve(body.id)).body;
    await server.call(operations.updateWebhook, { params, body: { isActive: true } });
    expect(warnings).toEqual([
      {
        path: 'steps[0].targets[0]',
        message:
          'ann@example.com is paged by mail, and no mail server is configured: set FIELDWATCH_SMTP_URL.',
      },
      {
        path: 'steps[0].targets[1]',
        message: 'The webhook was deleted: replace or remove this target.',
      },
      {
        path: 'steps[0].targets[2]',
        message: 'The webhook Hook is switched off: activate it.',
      },
      {
        path: 'steps[1].targets[0]',
        message:
          'The alarm group Nobody has no subscription that is active: add an address or webhook.',
      },
    ]);
    // A deleted record behind a target does not keep the policy from being edited.
    expect((await update(body.id, { repeat: 2 })).status).toBe(200);
  });
});

describe('the escalation policy of an alarm group', () => {
  it('is absent unless set, and ends with null or with the policy', async () => {
    const policyId = (await create()).body.id;
    const { body: plain } = await newGroup();
    expect(plain).not.toHaveProperty('escalationPolicyId');
    const params = { alarmGroupId: plain.id };
    const edit = async (body: Fields) =>
      (await server.call(operations.updateAlarmGroup, { params, body })).body;
    expect(await edit({ escalationPolicyId: policyId, reminderMinutes: 30 })).toMatchObject({
      escalationPolicyId: policyId,
      reminderMinutes: 30,
    });
    const off = await edit({ escalationPolicyId: null });
    expect(off).not.toHaveProperty('reminderMinutes');
    await edit({ escalationPolicyId: policyId, reminderMinutes: 30 });
    await remove(policyId);
    const renamed = await edit({ name: 'Renamed' });
    expect(renamed).toMatchObject({ name: 'Renamed' });
    expect(renamed).not.toHaveProperty('escalationPolicyId');
  });

  it('is needed for reminders, of 1 to 10 080 minutes', async () => {
    const policyId = (await create()).body.id;
    expect(pathsOf(await newGroup({ reminderMinutes: 30 }))).toEqual(['reminderMinutes']);
    for (const [reminderMinutes, status] of [
      [0, 400],
      [1, 201],
      [10_080, 201],
      [10_081, 400],
    ]) {
      const body = { escalationPolicyId: policyId, reminderMinutes };
      expect((await newGroup(body)).status, String(reminderMinutes)).toBe(status);
    }
  });
});
