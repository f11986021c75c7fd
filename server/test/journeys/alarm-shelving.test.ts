import { operations } from '@fieldwatch/contract';
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
