import { type AlarmEvent, operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventBench, type Point } from '../support/alarm-events.ts';
import { type Neighbours, startNeighbours } from '../support/neighbours.ts';
import type { TestServer } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';

let neighbours: Neighbours;
let server: TestServer;
let user: string;
const bench = eventBench(() => server);
const theirs = eventBench(() => neighbours.neighbour);

beforeAll(async () => {
  neighbours = await startNeighbours();
  ({ server } = neighbours);
  user = await server.newUser('VIEWER');
});

afterAll(() => neighbours.stop());

async function newEvent(fields: Record<string, unknown> = {}): Promise<AlarmEvent> {
  const { point, alarm } = await bench.newWatched({ isAcknowledgeable: true, ...fields });
  await bench.report(point, 60);
  const [event] = await bench.eventsOf(alarm.id);
  if (!event) throw new Error('no event was raised');
  return event;
}

const me = async () => (await server.call(operations.retrieveMe, { auth: user })).body.email;
const note = (eventId: string, text: unknown, auth = user) =>
  server.call(operations.createAlarmEventNote, { auth, params: { eventId }, body: { text } });
const acknowledgeMany = (body: unknown, auth = user) =>
  server.call(operations.acknowledgeAlarmEvents, { auth, body });
const kindsOf = async (eventId: string) =>
  (await bench.timeline(eventId)).body.items.map(({ kind }: { kind: string }) => kind);

describe('history', () => {
  it('finds what was open at any moment of the range, both ends included', async () => {
    const { point, alarm } = await bench.newWatched();
    const start = server.clock.now() - 100_000;
    await bench.report(point, 60, start);
    await bench.report(point, 40, start + 1_000);
    const isFound = async (startTime: number, endTime: number) =>
      (await bench.history({ startTime, endTime, take: 1000 })).body.items.some(
        ({ alarmId }: AlarmEvent) => alarmId === alarm.id,
      );
    expect(await isFound(start - 10, start - 1)).toBe(false);
    expect(await isFound(start - 10, start)).toBe(true);
    expect(await isFound(start + 1, start + 2)).toBe(true);
    expect(await isFound(start + 1_000, start + 5_000)).toBe(true);
    expect(await isFound(start + 1_001, start + 5_000)).toBe(false);
    await bench.report(point, 60, start + 2_000);
    expect(await isFound(start + 90_000_000, start + 90_000_000)).toBe(true);
  });

  it.each([
    [{ startTime: 2, endTime: 1 }, ['endTime']],
    [{ startTime: '1', endTime: 2 }, ['startTime']],
    [{ startTime: 0.5, endTime: 2 }, ['startTime']],
    [{ endTime: 2 }, ['startTime']],
    [{}, ['startTime', 'endTime']],
    [{ startTime: 1, endTime: 2, severities: ['WORST'] }, ['severities[0]']],
    [{ startTime: 1, endTime: 2, colour: 'red' }, ['colour']],
    [{ startTime: 1, endTime: 2, take: 1001 }, ['take']],
  ])('refuses %j by name', async (body, paths) => {
    const answer = await server.call(operations.listAlarmHistory, { body });
    expect(answer.status).toBe(400);
    expect(answer.body.errors.map(({ path }: { path: string }) => path)).toEqual(paths);
  });

  it('accepts a range of one moment and the widest there is', async () => {
    expect((await bench.history({ startTime: 5, endTime: 5 })).body).toEqual({
      count: 0,
      items: [],
    });
    expect((await bench.history()).body.count).toBeGreaterThan(0);
  });

  it('shows things as they were when the event was raised', async () => {
    const group = (await server.call(operations.createAlarmGroup, { body: { name: 'Night' } }))
      .body;
    const location = (await server.call(operations.createLocation, { body: { name: 'Hall' } }))
      .body;
    const roof = (await server.call(operations.createLocation, { body: { name: 'Roof' } })).body;
    const asset = (
      await server.call(operations.createAsset, {
        body: { name: 'Generator 1', locationId: roof.id },
      })
    ).body;
    const point = await bench.newPoint('NUMBER', { locationId: location.id });
    const { deviceId, deviceVariableId: variableId } = point;
    const bind = (action: string) =>
      server.call(operations.bindVariable, {
        params: { assetId: asset.id },
        body: { variableId, action },
      });
    await bind('CONNECT');
    const alarm = await bench.newAlarm(point, { alarmGroupId: group.id, severity: 'CRITICAL' });
    await bench.report(point, 60);
    const [event] = await bench.eventsOf(alarm.id);
    expect([event?.assetIds, event?.locationId, event?.alarmGroupId]).toEqual([
      [asset.id],
      location.id,
      group.id,
    ]);
    await bind('DISCONNECT');
    await bench.edit(alarm.id, { name: 'Other', severity: 'LOW', alarmGroupId: null });
    await server.call(operations.updateDevice, {
      params: { deviceId },
      body: { type: 'CUSTOM_DEVICE', name: 'Renamed', locationId: null },
    });
    expect(await bench.eventsOf(alarm.id)).toEqual([event]);
    for (const filter of [
      { deviceVariableIds: [UNKNOWN, 'no id', variableId], assetIds: [asset.id] },
      { assetIds: [asset.id] },
      { locationIds: [location.id] },
      { locationIds: [roof.id] },
      { locationIds: [UNKNOWN, 'no id', roof.id] },
      { alarmGroupIds: [group.id] },
      { search: 'oo HO', alarmGroupIds: [group.id] },
    ]) {
      const { body } = await bench.history(filter);
      expect(body.items, JSON.stringify(filter)).toEqual([event]);
    }
    for (const filter of [
      { locationIds: ['no id'] },
      { deviceVariableIds: [UNKNOWN, 'no id'] },
      { assetIds: [UNKNOWN] },
      { search: 'Other' },
    ]) {
      expect((await bench.history(filter)).body, JSON.stringify(filter)).toEqual({
        count: 0,
        items: [],
      });
    }
  });

  it('of a Variable of a neighbour is empty', async () => {
    const { point } = await theirs.newWatched();
    await theirs.report(point, 60);
    const { deviceVariableId } = point;
    expect((await bench.history({ deviceVariableIds: [deviceVariableId] })).body.count).toBe(0);
  });

  it('outlives the archiving of its Alarm', async () => {
    const event = await newEvent();
    await server.call(operations.archiveAlarm, { params: { alarmId: event.alarmId } });
    const [after] = await bench.eventsOf(event.alarmId);
    expect(after).toMatchObject({ id: event.id, clearedReason: 'ARCHIVED' });
  });
});

describe('acknowledging', () => {
  it('records the actor and time once, and returns the whole event', async () => {
    const event = await newEvent();
    const { status, body } = await bench.acknowledge(event.id, user);
    expect(status).toBe(200);
    expect(body).toEqual({
      ...event,
      acknowledgedDateTime: expect.any(String),
      acknowledgedBy: await me(),
    });
    server.clock.advance(1_000);
    const again = await bench.acknowledge(event.id, server.administrator);
    expect(again.body).toEqual(body);
    expect(again.headers.get('etag')).not.toBeNull();
    expect(await kindsOf(event.id)).toEqual(['RAISED', 'ACKNOWLEDGED']);
  });

  it('adds its note once, also when the request is repeated', async () => {
    const event = await newEvent();
    const first = await bench.acknowledge(event.id, user, { note: 'On my way' });
    expect(first.body.notes).toEqual([
      {
        id: expect.any(String),
        text: 'On my way',
        author: await me(),
        createdDateTime: expect.any(String),
      },
    ]);
    const again = await bench.acknowledge(event.id, user, { note: 'On my way' });
    expect(again.body).toEqual(first.body);
    expect((await bench.acknowledge(event.id, user, { note: 'There' })).body.notes).toHaveLength(2);
    expect(await kindsOf(event.id)).toEqual(['RAISED', 'ACKNOWLEDGED', 'NOTE', 'NOTE']);
  });

  it('answers 409 when the event is not acknowledgeable', async () => {
    const event = await newEvent({ isAcknowledgeable: false });
    const { status, body } = await bench.acknowledge(event.id, user);
    expect([status, body.code]).toEqual([409, 'CONFLICT']);
    await bench.edit(event.alarmId, { isAcknowledgeable: true });
    expect((await bench.acknowledge(event.id, user)).status).toBe(409);
  });

  it('works on a cleared event too', async () => {
    const event = await newEvent();
    await bench.edit(event.alarmId, { isActive: false });
    expect((await bench.acknowledge(event.id, user)).body).toMatchObject({
      clearedReason: 'DISABLED',
      acknowledgedBy: await me(),
    });
  });

  it('of many is all or none, and repeated ids count once', async () => {
    const [one, two, not] = [
      await newEvent(),
      await newEvent(),
      await newEvent({ isAcknowledgeable: false }),
    ];
    const refused = await acknowledgeMany({ eventIds: [one.id, UNKNOWN] });
    expect([refused.status, refused.body.errors[0].path]).toEqual([400, 'eventIds[1]']);
    expect((await acknowledgeMany({ eventIds: [one.id, not.id] })).status).toBe(409);
    expect((await bench.eventsOf(one.alarmId))[0]?.acknowledgedBy).toBeNull();
    const { status, body } = await acknowledgeMany({
      eventIds: [two.id, one.id.toUpperCase(), two.id],
      note: 'Both',
    });
    expect([status, body.count]).toEqual([200, 2]);
    expect(body.items.map(({ id }: AlarmEvent) => id)).toEqual([two.id, one.id]);
    for (const item of body.items) {
      expect([item.acknowledgedBy, item.notes.length]).toEqual([await me(), 1]);
    }
  });

  it.each([
    [0, 400],
    [1, 200],
    [500, 200],
    [501, 400],
  ])('of %i at once answers %i', async (length, status) => {
    const { id } = await newEvent();
    const eventIds = Array.from({ length }, () => id);
    expect((await acknowledgeMany({ eventIds })).status).toBe(status);
  });
});

describe('a note', () => {
  it('is added to the event, with author and time, in the order of writing', async () => {
    const event = await newEvent({ isAcknowledgeable: false });
    const { status, body, headers } = await note(event.id, 'First');
    expect([status, headers.get('location')]).toEqual([
      201,
      `/primary/v1/${server.organizationId}/alarm-history/${event.id}`,
    ]);
    expect(body).toEqual({ ...event, notes: body.notes });
    server.clock.advance(5);
    const both = (await note(event.id, 'Second')).body;
    expect(both.notes.map(({ text }: { text: string }) => text)).toEqual(['First', 'Second']);
    const { eventId } = { eventId: event.id };
    const read = await server.call(operations.retrieveAlarmEvent, { params: { eventId } });
    expect(read.body).toEqual(both);
  });

  it.each([
    [0, 400],
    [1, 201],
    [2_000, 201],
    [2_001, 400],
  ])('of %i characters answers %i', async (length, status) => {
    const { id } = await newEvent();
    expect((await note(id, '🔥'.repeat(length))).status).toBe(status);
  });
});

describe('an API key', () => {
  it('reads history and the timeline, but neither acknowledges nor writes notes', async () => {
    const { id } = await newEvent();
    expect((await bench.timeline(id)).status).toBe(200);
    const answers = [
      await bench.acknowledge(id, server.key),
      await note(id, 'By key', server.key),
      await acknowledgeMany({ eventIds: [id] }, server.key),
    ];
    expect(answers.map(({ status }) => status)).toEqual([403, 403, 403]);
  });
});

describe("a neighbour's event", () => {
  it('answers like an unknown one in every operation', async () => {
    const point: Point = await theirs.newPoint();
    const alarm = await theirs.newAlarm(point, { isAcknowledgeable: true });
    await theirs.report(point, 60);
    const [event] = await theirs.eventsOf(alarm.id);
    expect(event).toBeDefined();
    for (const eventId of [event?.id ?? '', UNKNOWN, 'not-a-uuid']) {
      const answers = [
        await bench.timeline(eventId),
        await bench.acknowledge(eventId, user),
        await note(eventId, 'Hello'),
        await server.call(operations.retrieveAlarmEvent, { params: { eventId } }),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    }
    expect((await acknowledgeMany({ eventIds: [event?.id] })).status).toBe(400);
    expect((await bench.history({ take: 1000 })).text).not.toContain(alarm.id);
    expect(await theirs.eventsOf(alarm.id)).toEqual([event]);
  });
});
