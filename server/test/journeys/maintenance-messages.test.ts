import { operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { eventBench } from '../support/alarm-events.ts';
import { type MailRig, startMailRig } from '../support/mail.ts';
import { startReceiver } from '../support/receiver.ts';
import type { TestServer } from '../support/server.ts';

const HOUR = 3_600_000;
const soon = { interval: 50 };

type Fields = Readonly<Record<string, unknown>>;

let rig: MailRig;
let server: TestServer;
const bench = eventBench(() => server);

beforeAll(async () => {
  rig = await startMailRig({ FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.1' });
  ({ server } = rig);
});

afterAll(() => rig.stop());

beforeEach(() => {
  rig.smtp.letters.length = 0;
});

const at = (ms: number) => new Date(server.clock.now() + ms).toISOString();
const create = async (scope: Fields, fields: Fields = {}) => {
  const both = { tellsStart: true, tellsEnd: true };
  const body = { scope, reason: 'Oil change', to: at(HOUR), ...both, ...fields };
  const made = await server.call(operations.createMaintenanceWindow, { body });
  expect(made.status, made.text).toBe(201);
  return made.body;
};
const newGroup = async (subscriptions: readonly Fields[]): Promise<string> => {
  const body = {
    name: 'Group',
    subscriptions: subscriptions.map((each) => ({ kind: 'EMAIL', ...each })),
  };
  return (await server.call(operations.createAlarmGroup, { body })).body.id;
};
/** Who was sent what, in the order of the names. */
const sent = () =>
  rig.smtp.letters
    .map(({ to, text }) => `${to.join()} ${/^Subject: (.*)$/m.exec(text)?.[1]?.trim()}`)
    .sort();
const isSent = (expected: readonly string[]) => expect.poll(sent, soon).toEqual(expected);

describe('the messages of a maintenance window', () => {
  it('go once to the addresses and followers of the groups that it names', async () => {
    const alarmGroupId = await newGroup([
      { email: 'ann@example.com' },
      { email: 'low@example.com', severities: ['LOW'] },
    ]);
    const { administrator: auth, adminEmail } = server;
    await server.call(operations.createGroupSubscription, { auth, body: { alarmGroupId } });
    await create({ alarmGroupIds: [alarmGroupId] }, { severities: ['HIGH'] });
    const started = [
      `${adminEmail} Maintenance started: Oil change`,
      'ann@example.com Maintenance started: Oil change',
    ];
    await isSent(started.sort());
    expect(rig.smtp.letters[0]?.text).toContain('are held back until');
    server.clock.advance(HOUR);
    await isSent(
      [
        ...started,
        `${adminEmail} Maintenance ended: Oil change`,
        'ann@example.com Maintenance ended: Oil change',
      ].sort(),
    );
  });

  it('go to the groups of the Alarms that its Locations, Devices and Assets cover', async () => {
    const make = async (operation: Parameters<TestServer['call']>[0], body: Fields) => {
      const made = await server.call(operation, { body });
      expect(made.status, made.text).toBe(201);
      return made.body.id;
    };
    const outer = await make(operations.createLocation, { name: 'Site' });
    const inner = await make(operations.createLocation, { name: 'Hall', parentId: outer });
    const gateway = await make(operations.createDevice, { type: 'CUSTOM_DEVICE', name: 'Gateway' });
    const asset = await make(operations.createAsset, { name: 'Pump' });
    const watched = async (email: string, device: Fields = {}) => {
      const alarmGroupId = await newGroup([{ email }]);
      const point = await bench.newPoint('NUMBER', device);
      await bench.newAlarm(point, { alarmGroupId });
      return point;
    };
    await watched('a@example.com', { locationId: inner });
    await watched('b@example.com', { parentDeviceId: gateway });
    await watched('d@example.com');
    const { deviceVariableId } = await watched('c@example.com');
    await rig.bench.query(
      `insert into asset_variables (organization_id, asset_id, variable_id)
       values ($1, $2, $3)`,
      [server.organizationId, asset, deviceVariableId],
    );
    const scope = { locationIds: [outer], deviceIds: [gateway], assetIds: [asset] };
    await create(scope, { tellsEnd: false });
    await isSent(
      ['a', 'b', 'c'].map((each) => `${each}@example.com Maintenance started: Oil change`),
    );
  });

  it('report a start by time, an end by hand and a deletion, and no other end', async () => {
    const alarmGroupId = await newGroup([{ email: 'bob@example.com' }]);
    const planned = { from: at(HOUR), to: at(2 * HOUR) };
    const { id } = await create({ alarmGroupIds: [alarmGroupId] }, planned);
    server.clock.advance(HOUR);
    await isSent(['bob@example.com Maintenance started: Oil change']);
    const params = { maintenanceWindowId: id };
    await server.call(operations.updateMaintenanceWindow, { params, body: { to: at(3 * HOUR) } });
    await server.call(operations.endMaintenanceWindow, { params });
    await isSent([
      'bob@example.com Maintenance ended: Oil change',
      'bob@example.com Maintenance started: Oil change',
    ]);
    rig.smtp.letters.length = 0;
    const again = await create({ alarmGroupIds: [alarmGroupId] }, { tellsStart: false });
    await server.call(operations.deleteMaintenanceWindow, {
      params: { maintenanceWindowId: again.id },
    });
    await isSent(['bob@example.com Maintenance ended: Oil change']);
  });

  it('go to webhooks, but not to services that would open an incident', async () => {
    const receiver = await startReceiver();
    const newWebhook = async (fields: Fields) => {
      const body = { name: 'Hook', url: receiver.url, ...fields };
      const { body: webhook } = await server.call(operations.createWebhook, { body });
      return { kind: 'WEBHOOK', webhookId: webhook.id };
    };
    const alarmGroupId = await newGroup([
      await newWebhook({}),
      await newWebhook({ format: 'SLACK' }),
      await newWebhook({ format: 'PAGERDUTY', credential: 'key' }),
      await newWebhook({ format: 'ALERTMANAGER' }),
      { email: 'last@example.com' },
    ]);
    await create({ alarmGroupIds: [alarmGroupId] }, { tellsEnd: false });
    const subject = 'Maintenance started: Oil change';
    await isSent([`last@example.com ${subject}`]);
    await expect.poll(() => receiver.received.length, soon).toBe(2);
    const bodies = receiver.received.map(({ body }) => body);
    expect(bodies).toContainEqual(
      expect.objectContaining({ type: 'text', data: expect.objectContaining({ subject }) }),
    );
    expect(bodies).toContainEqual(expect.objectContaining({ text: subject }));
    await receiver.stop();
  });
});
