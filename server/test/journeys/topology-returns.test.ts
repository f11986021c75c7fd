import { operations } from '@fieldwatch/contract';
import pg from 'pg';
import { afterAll, afterEach, beforeAll, beforeEach, expect, it } from 'vitest';
import { createStillClock } from '../support/clock.ts';
import { ONLINE_MS, TopologyRig, WAIT_MS } from '../support/topology-rig.ts';

let rig: TopologyRig;

beforeAll(async () => {
  rig = await TopologyRig.start(createStillClock());
});

afterAll(() => rig.stop());

beforeEach(() => rig.newGroup());

afterEach(() => rig.receiver.stop());

it('a Device whose window ended before that of its gateway is silent after its short outage', async () => {
  const { gateway, children } = await rig.newSite(2);
  await rig.newOfflineAlarm(gateway, 'CRITICAL');
  rig.server.clock.advance(60_000);
  await rig.comeOnline([gateway]);
  rig.server.clock.advance(ONLINE_MS - 60_000 + 1);
  await rig.offline(2);
  await rig.waiting(2);
  rig.server.clock.advance(60_000);
  await rig.offline(3);
  await rig.received(['alarm.raised']);
  await rig.suppressed(2);
  await rig.report([gateway]);
  await rig.received(['alarm.raised', 'alarm.cleared']);
  rig.server.clock.advance(WAIT_MS);
  await rig.report(children);
  await rig.offline(0);
  await rig.waiting(0);
  expect(rig.types()).toEqual(['alarm.raised', 'alarm.cleared']);
});

it('the end of an event that clears at the end of its wait is not sent without its beginning', async () => {
  const { body: location } = await rig.server.call(operations.createLocation, {
    body: { name: 'Roof' },
  });
  const { gateway, children } = await rig.newSite(2, { fields: { locationId: location.id } });
  const [back = '', silent = ''] = children;
  rig.server.clock.advance(ONLINE_MS - 5_000);
  await rig.report([gateway]);
  rig.server.clock.advance(10_000);
  await rig.offline(2);
  await rig.waiting(2);
  // Notifications cannot be dispatched while their Locations cannot be read.
  const holder = new pg.Client({ connectionString: rig.server.databaseUrl });
  await holder.connect();
  await holder.query('begin; lock table locations in access exclusive mode');
  await rig.report([back]);
  await rig.offline(1);
  rig.server.clock.advance(WAIT_MS);
  const released = `held_notifications join alarm_events event on event.id = event_id
    where device_id = '${silent}'`;
  await expect.poll(() => rig.count(released)).toBe(0);
  await holder.query('rollback');
  await holder.end();
  await rig.received(['alarm.raised']);
  expect(rig.receiver.received[0]?.body.data.deviceId).toBe(silent);
  await expect.poll(() => rig.count('notification_outbox')).toBe(0);
  expect(rig.types()).toEqual(['alarm.raised']);
});
