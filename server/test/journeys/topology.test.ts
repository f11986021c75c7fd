import { operations } from '@fieldwatch/contract';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { startReceiver } from '../support/receiver.ts';
import { cases } from '../support/soak.ts';
import { ONLINE_MS, TopologyRig, WAIT_MS } from '../support/topology-rig.ts';

/** Within it all Devices of a test report once, however slow the machine is. */
const ROUND_MS = 4 * 60_000;

let rig: TopologyRig;

beforeAll(async () => {
  rig = await TopologyRig.start();
});

afterAll(() => rig.stop());

beforeEach(() => rig.newGroup());

afterEach(() => rig.receiver.stop());

/** Has the group paged to a webhook of its own. */
async function addPolicy() {
  const pager = await startReceiver();
  const { body: webhook } = await rig.server.call(operations.createWebhook, {
    body: { name: 'Pages', url: pager.url },
  });
  const targets = [{ kind: 'WEBHOOK', webhookId: webhook.id }];
  const { body: policy } = await rig.server.call(operations.createEscalationPolicy, {
    body: { name: 'Policy', steps: [{ afterSeconds: 0, targets }] },
  });
  await rig.server.call(operations.updateAlarmGroup, {
    params: { alarmGroupId: rig.alarmGroupId },
    body: { escalationPolicyId: policy.id },
  });
  /** The states of its pages with the number of their events, newest first. */
  const pages = async (): Promise<string[]> => {
    const query = `policyId=${policy.id}`;
    const { items } = (await rig.server.call(operations.listPages, { query })).body;
    return items.map((each: { state: string; eventCount: number }) => {
      return `${each.state} ${each.eventCount}`;
    });
  };
  return { pager, pages };
}

/** In soak 1 000. */
const BEHIND = cases(1_000, 0.05);

it('a gateway that fails with many Devices behind it is one message, and its return another', async () => {
  const { pager, pages } = await addPolicy();
  const { gateway, children } = await rig.newSite(BEHIND);
  await rig.newOfflineAlarm(gateway, 'CRITICAL');
  const resolvedPage = async () => {
    await expect.poll(() => pager.received.length).toBe(2);
    expect(pager.received[1]?.body.page.title).toBe('Resolved');
    expect(await pages()).toEqual(['RESOLVED 1']);
  };
  rig.server.clock.advance(ONLINE_MS + 1);
  await rig.offline(BEHIND + 1);
  await rig.received(['alarm.raised']);
  expect(rig.receiver.received[0]?.body).toMatchObject({
    data: { deviceName: 'Gateway' },
    context: { devicesBehind: BEHIND },
  });
  rig.server.clock.advance(WAIT_MS);
  await rig.suppressed(BEHIND);
  expect(await pages()).toEqual(['ACTIVE 1']);
  expect(pager.received.map(({ body }) => body.data.deviceName)).toEqual(['Gateway']);

  const silent = children.slice(0, 3);
  await rig.report([gateway, ...children.slice(3)]);
  await rig.offline(3);
  await rig.received(['alarm.raised', 'alarm.cleared']);
  const scheduled = () =>
    rig.count("held_notifications where reason = 'TOPOLOGY' and due_at is not null");
  await expect.poll(scheduled).toBe(3);
  await resolvedPage();
  // The others stay online while the time of the silent ones passes.
  for (let round = 0; round < 3; round += 1) {
    rig.server.clock.advance(ONLINE_MS - ROUND_MS);
    await rig.report([gateway, ...children.slice(3)]);
  }
  expect(rig.types()).toEqual(['alarm.raised', 'alarm.cleared']);
  rig.server.clock.advance(2 * ONLINE_MS - 3 * (ONLINE_MS - ROUND_MS));
  await rig.received(['alarm.raised', 'alarm.cleared', 'alarm.digest']);
  const { data } = rig.receiver.received[2]?.body ?? {};
  expect(data).toMatchObject({ cause: { kind: 'STILL_OFFLINE', name: 'Gateway' }, count: 3 });
  expect(
    data.messages.map((each: { data: { deviceId: string } }) => each.data.deviceId).sort(),
  ).toEqual([...silent].sort());
  await expect.poll(pages).toEqual(['ACTIVE 3', 'RESOLVED 1']);
  await expect.poll(() => pager.received.length).toBe(3);
  expect(pager.received[2]?.body).toMatchObject({ type: 'alarm.digest', page: { title: 'Page' } });
  await pager.stop();
}, 600_000);

it('a gateway without an Alarm is named by one digest, with the worst severity behind it', async () => {
  const { gateway, children } = await rig.newSite(5, {
    severityOf: (index) => (index === 3 ? 'CRITICAL' : 'LOW'),
  });
  rig.server.clock.advance(ONLINE_MS + 1);
  await rig.offline(5);
  await rig.recorded(false, [gateway]);
  await rig.waitOut(5);
  await rig.received(['alarm.digest']);
  expect(rig.receiver.received[0]?.body.data).toMatchObject({
    cause: { kind: 'DEVICE_OFFLINE', name: 'Gateway' },
    count: 5,
    counts: { raised: { CRITICAL: 1, LOW: 4 } },
  });
  const late = await rig.newDevice({ name: 'Late sensor', parentDeviceId: gateway });
  await rig.newOfflineAlarm(late);
  await rig.comeOnline([late]);
  rig.server.clock.advance(ONLINE_MS + 1);
  await rig.offline(6);
  await rig.suppressed(1);
  await rig.report([gateway, ...children, late]);
  await rig.offline(0);
  expect(rig.types().filter((type) => type !== 'alarm.cleared')).toEqual(['alarm.digest']);
});

it('a Device that fails alone is reported once those above it proved to be online', async () => {
  const { gateway, children } = await rig.newSite(2);
  const [failed = '', ...others] = children;
  rig.server.clock.advance(ONLINE_MS - 5_000);
  await rig.report([gateway, ...others]);
  rig.server.clock.advance(10_000);
  await rig.offline(1);
  await rig.waitOut(1);
  await rig.received(['alarm.raised']);
  expect(rig.receiver.received[0]?.body.data.deviceId).toBe(failed);
  expect(rig.receiver.received[0]?.body.data).not.toHaveProperty('suppression');
});
