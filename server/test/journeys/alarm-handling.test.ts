import { type AlarmEvent, operations } from '@fieldwatch/contract';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventBench } from '../support/alarm-events.ts';
import { type Neighbours, startNeighbours } from '../support/neighbours.ts';
import type { TestServer } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';

let neighbours: Neighbours;
let server: TestServer;
const bench = eventBench(() => server);
const theirs = eventBench(() => neighbours.neighbour);

beforeAll(async () => {
  neighbours = await startNeighbours();
  ({ server } = neighbours);
});

afterAll(() => neighbours.stop());

describe('shelving', () => {
  const shelve = (alarmId: string, body: unknown) =>
    server.call(operations.shelveAlarm, { params: { alarmId }, body });
  const unshelve = (alarmId: string) =>
    server.call(operations.unshelveAlarm, { params: { alarmId } });
  const inAnHour = () => new Date(server.clock.now() + 3_600_000).toISOString();

  it('shows in the record until it ends, and marks the events raised meanwhile', async () => {
    const { point, alarm } = await bench.newWatched();
    const untilDateTime = inAnHour();
    const { status, body } = await shelve(alarm.id, { untilDateTime, reason: 'Works' });
    expect(status).toBe(200);
    expect(body.shelving).toEqual({
      untilDateTime,
      reason: 'Works',
      shelvedBy: expect.any(String),
    });
    await bench.report(point, 60);
    await bench.report(point, 40);
    server.clock.advance(3_600_001);
    await bench.report(point, 60);
    const events = await bench.eventsOf(alarm.id);
    expect(events.map((event) => event.isShelved)).toEqual([true, undefined]);
    expect(Object.keys(await bench.alarm(alarm.id))).not.toContain('shelving');
  });

  it('ends by unshelving, also twice', async () => {
    const { alarm } = await bench.newWatched();
    await shelve(alarm.id, { untilDateTime: inAnHour(), reason: 'Works' });
    const { status, body } = await unshelve(alarm.id);
    expect([status, 'shelving' in body]).toEqual([200, false]);
    expect((await unshelve(alarm.id)).body).toEqual(body);
  });

  it.each([
    [{ reason: 'Works' }, 'untilDateTime'],
    [{ untilDateTime: '2020-01-01T00:00:00.000Z', reason: 'Works' }, 'untilDateTime'],
    [{ untilDateTime: 'soon', reason: 'Works' }, 'untilDateTime'],
    [{ untilDateTime: '9999-12-31T23:59:59.999-00:01', reason: 'Works' }, 'untilDateTime'],
    [{ untilDateTime: '2999-01-01T00:00:00.000Z' }, 'reason'],
    [{ untilDateTime: '2999-01-01T00:00:00.000Z', reason: 'x'.repeat(501) }, 'reason'],
  ])('refuses %j', async (body, path) => {
    const { alarm } = await bench.newWatched();
    const answer = await shelve(alarm.id, body);
    expect([answer.status, answer.body.errors[0].path]).toEqual([400, path]);
  });

  it('is refused for an archived Alarm, and unknown to a neighbour', async () => {
    const { alarm } = await bench.newWatched();
    await server.call(operations.archiveAlarm, { params: { alarmId: alarm.id } });
    const body = { untilDateTime: inAnHour(), reason: 'Works' };
    expect((await shelve(alarm.id, body)).status).toBe(409);
    const { alarm: other } = await theirs.newWatched();
    for (const id of [other.id, UNKNOWN, 'not-a-uuid']) {
      expect((await shelve(id, body)).status).toBe(404);
      expect((await unshelve(id)).status).toBe(404);
    }
  });
});

describe('assigning', () => {
  let user: string;
  let administrator: string;

  // Tests of shelving move the clock on, which ends earlier tokens.
  beforeAll(async () => {
    user = await server.newUser('VIEWER');
    administrator = await server.newUser('ADMINISTRATOR');
  });

  const me = async () => (await server.call(operations.retrieveMe, { auth: user })).body.email;

  async function newEvent(): Promise<AlarmEvent> {
    const { point, alarm } = await bench.newWatched();
    await bench.report(point, 60);
    const [event] = await bench.eventsOf(alarm.id);
    if (!event) throw new Error('no event was raised');
    return event;
  }

  const assign = (eventIds: readonly string[], userId: unknown, auth = user) =>
    server.call(operations.assignAlarmEvents, { auth, body: { eventIds, userId } });
  const assignments = async (...eventIds: readonly string[]) =>
    (
      await server.call(operations.listAlarmAssignments, {
        query: ['take=1000', ...eventIds.map((id) => `eventIds[]=${encodeURIComponent(id)}`)].join(
          '&',
        ),
      })
    ).body;
  const idOf = async (auth: string) =>
    (await server.call(operations.retrieveMe, { auth })).body.id as string;

  it('names one member for each event until another or nobody is named', async () => {
    const [one, two] = [await newEvent(), await newEvent()];
    const [mine, theirId] = [await idOf(user), await idOf(administrator)];
    const { status, body } = await assign([two.id, one.id.toUpperCase(), two.id], mine);
    expect(status).toBe(200);
    expect(body.items.map(({ eventId }: { eventId: string }) => eventId)).toEqual([two.id, one.id]);
    expect(body.items[0]).toEqual({
      eventId: two.id,
      userId: mine,
      email: await me(),
      name: null,
      assignedBy: await me(),
      assignedDateTime: expect.any(String),
    });
    await assign([one.id], theirId);
    expect((await assignments(one.id)).items).toMatchObject([{ userId: theirId }]);
    expect((await assign([one.id], null)).body).toEqual({ count: 0, items: [] });
    expect((await assignments(one.id, 'no id')).count).toBe(0);
    expect((await assignments(two.id)).items).toEqual([body.items[0]]);
  });

  it('is recorded once in the timeline and the audit log and leaves the event unchanged', async () => {
    const event = await newEvent();
    const mine = await idOf(user);
    await assign([event.id], mine);
    await assign([event.id], mine);
    const entries = (await bench.timeline(event.id)).body.items;
    expect(entries.slice(1)).toMatchObject([
      { kind: 'ASSIGNED', actor: await me(), detail: await me() },
    ]);
    expect(await bench.eventsOf(event.alarmId)).toEqual([event]);
    const audited = await server.call(operations.listAuditLog, {
      auth: administrator,
      query: 'resource=AlarmAssignment',
    });
    const ofEvent = audited.body.items.filter(
      ({ resourceId }: { resourceId: string }) => resourceId === event.id,
    );
    expect(ofEvent).toHaveLength(1);
    expect(ofEvent[0]).toMatchObject({ operation: 'assignAlarmEvents' });
  });

  it('lists active events without ids, and cleared ones by id', async () => {
    const [open, cleared] = [await newEvent(), await newEvent()];
    await assign([open.id, cleared.id], await idOf(user));
    await bench.edit(cleared.alarmId, { isActive: false });
    const active = (await assignments()).items.map(({ eventId }: { eventId: string }) => eventId);
    expect([active.includes(open.id), active.includes(cleared.id)]).toEqual([true, false]);
    expect((await assignments(cleared.id)).count).toBe(1);
  });

  it('of several events is refused as a whole when one or the member is unknown', async () => {
    const event = await newEvent();
    const stranger = await idOf(await neighbours.neighbour.newUser('EDITOR'));
    const { point, alarm } = await theirs.newWatched();
    await theirs.report(point, 60);
    const [foreign] = await theirs.eventsOf(alarm.id);
    for (const [eventIds, userId, path] of [
      [[event.id, UNKNOWN], await idOf(user), 'eventIds[1]'],
      [[event.id, foreign?.id ?? ''], await idOf(user), 'eventIds[1]'],
      [[event.id], UNKNOWN, 'userId'],
      [[event.id], stranger, 'userId'],
    ] as const) {
      const { status, body } = await assign(eventIds, userId);
      expect([status, body.errors?.[0]?.path]).toEqual([400, path]);
    }
    expect((await assignments(event.id, foreign?.id ?? '')).count).toBe(0);
  });

  it.each([
    [0, 400],
    [500, 200],
    [501, 400],
  ])('of %i events at once answers %i', async (length, status) => {
    const { id } = await newEvent();
    expect(
      (
        await assign(
          Array.from({ length }, () => id),
          null,
        )
      ).status,
    ).toBe(status);
  });

  it('offers active members by name and email, to people alone', async () => {
    const assignees = (auth: string, query: string) =>
      server.call(operations.listAlarmAssignees, { auth, query });
    const found = (await assignees(user, `search=${(await me()).toUpperCase()}`)).body;
    expect(found.items).toEqual([{ userId: await idOf(user), email: await me(), name: null }]);
    expect((await assignees(user, 'take=1')).body.items).toHaveLength(1);
    expect((await assignees(server.key, '')).status).toBe(403);
    expect((await assign([(await newEvent()).id], null, server.key)).status).toBe(403);
  });

  it('ends when the member leaves the organization', async () => {
    const leaving = await server.newUser('VIEWER');
    const { id } = await newEvent();
    const userId = await idOf(leaving);
    await assign([id], userId);
    await server.call(operations.deleteUser, {
      auth: administrator,
      params: { userId },
    });
    expect((await assignments(id)).count).toBe(0);
  });
});
