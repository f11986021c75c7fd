import { operations } from '@fieldwatch/contract';
import { beforeAll, expect, it } from 'vitest';
import { eventBench } from '../support/alarm-events.ts';
import { call } from '../support/call.ts';
import { follow, type LiveEvent } from '../support/live.ts';
import { type JoinedNeighbours, joinNeighbours } from '../support/neighbours.ts';
import type { TestOrganization } from '../support/server.ts';

let neighbours: JoinedNeighbours;
let server: TestOrganization;
const bench = eventBench(() => server);

beforeAll(async () => {
  neighbours = await joinNeighbours();
  ({ server } = neighbours);
});

const changeNamed = (change: string) => (event: LiveEvent) =>
  event.type === 'alarm' && event.data.change === change;

it('a stream has each change with the event as it is then, and none of a neighbour', async () => {
  const { point, alarm } = await bench.newWatched({ isAcknowledgeable: true });
  const user = await server.newUser('VIEWER');
  const stream = await follow(server);
  const theirs = await follow(neighbours.neighbour);
  await bench.report(point, 60);
  const { data } = await stream.until(changeNamed('RAISED'));
  const [event] = await bench.eventsOf(alarm.id);
  expect(data.event).toEqual(event);
  await bench.acknowledge(event?.id ?? '', user, { note: 'On my way' });
  const { data: noted } = await stream.until(changeNamed('NOTED'));
  expect(noted.event.notes).toHaveLength(1);
  const { id: userId } = (await server.call(operations.retrieveMe, { auth: user })).body;
  await server.call(operations.assignAlarmEvents, {
    auth: user,
    body: { eventIds: [event?.id], userId },
  });
  const { data: assigned } = await stream.until(changeNamed('ASSIGNED'));
  expect(assigned.event).toEqual(noted.event);
  await bench.report(point, 40);
  const { data: cleared } = await stream.until(changeNamed('CLEARED'));
  expect(cleared.event.clearedReason).toBe('RECOVERED');
  const changes = stream.events.filter(({ type }) => type === 'alarm');
  expect(changes.map((change) => change.data.change)).toEqual([
    'RAISED',
    'ACKNOWLEDGED',
    'NOTED',
    'ASSIGNED',
    'CLEARED',
  ]);
  const ids = changes.map(({ id }) => Number(id));
  expect(ids).toEqual(ids.toSorted((one, other) => one - other));
  expect(theirs.events.filter(({ type }) => type === 'alarm')).toEqual([]);
});

it('a reader that resumes gets the changes that it missed and those that follow', async () => {
  const { point } = await bench.newWatched();
  const first = await follow(server);
  await bench.report(point, 60);
  const { id } = await first.until(changeNamed('RAISED'));
  first.leave();
  await first.over;
  await bench.report(point, 40);
  const second = await follow(server, { lastEventId: id ?? '' });
  await second.until(changeNamed('CLEARED'));
  await bench.report(point, 61);
  const { data } = await second.until(changeNamed('RAISED'));
  expect(data.event.raisedValue).toBe(61);
  const unknown = await follow(server, { lastEventId: '999999999' });
  await unknown.until(({ type }) => type === 'missed');
});

it('a change of an Alarm that ends an event is streamed too', async () => {
  const { point, alarm } = await bench.newWatched();
  const stream = await follow(server);
  await bench.report(point, 60);
  await stream.until(changeNamed('RAISED'));
  await server.call(operations.archiveAlarm, { params: { alarmId: alarm.id } });
  const { data } = await stream.until(changeNamed('CLEARED'));
  expect(data.event.clearedReason).toBe('ARCHIVED');
});

it('a change that another server stores is streamed, and its id resumes there and here', async () => {
  const { point } = await bench.newWatched();
  const { deviceId, path } = point;
  const params = { organizationId: server.organizationId, deviceId };
  const elsewhere = { ...server, url: neighbours.neighbour.url };
  const streams = [await follow(server), await follow(elsewhere)];
  const auth = server.key;
  const body = { data: { [path]: 60 } };
  await call(elsewhere.url, operations.writeReadings, { auth, params, body });
  const raised = await Promise.all(streams.map((stream) => stream.until(changeNamed('RAISED'))));
  expect(raised[1]).toEqual(raised[0]);
  await bench.report(point, 40);
  const lastEventId = raised[0]?.id ?? '';
  for (const node of [server, elsewhere]) {
    const resumed = await follow(node, { lastEventId });
    const { data } = await resumed.until(changeNamed('CLEARED'));
    expect(data.event.clearedValue).toBe(40);
  }
});
