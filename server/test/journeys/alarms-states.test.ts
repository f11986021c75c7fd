import { setTimeout as sleep } from 'node:timers/promises';
import { operations } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { alarmBench, errorsOf, type Watched } from '../support/alarms.ts';
import { type JoinedNeighbours, joinNeighbours } from '../support/neighbours.ts';
import type { TestOrganization } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';

let neighbours: JoinedNeighbours;
let server: TestOrganization;
const own = alarmBench(() => server);
const theirs = alarmBench(() => neighbours.neighbour);
let watched: Watched;

beforeAll(async () => {
  neighbours = await joinNeighbours();
  ({ server } = neighbours);
  watched = await own.newVariable('NUMBER');
});

const made = async (at: Watched = watched) => (await own.create({ ...at })).body;
const archived = async () => {
  const alarm = await made();
  await own.archive(alarm.id);
  return (await own.retrieve(alarm.id)).body;
};
const countIn = async (archivedScope: string, deviceVariableId: string) =>
  (await own.search({ archivedScope, deviceVariableIds: [deviceVariableId] })).body.count;

describe('an active Alarm', () => {
  it('becomes archived by DELETE, and leaves the searches but not retrieval', async () => {
    const variable = await own.newVariable('NUMBER');
    const before = await made(variable);
    await sleep(5);
    const { status, text } = await own.archive(before.id);
    expect([status, text]).toEqual([204, '']);
    const { status: found, body } = await own.retrieve(before.id);
    expect([found, body]).toEqual([
      200,
      {
        ...before,
        isArchived: true,
        archivedDateTime: body.updatedDateTime,
        updatedDateTime: body.updatedDateTime,
      },
    ]);
    expect(body.archivedDateTime > before.updatedDateTime).toBe(true);
    const counts = ['active', 'archived', 'all'].map((scope) =>
      countIn(scope, variable.deviceVariableId),
    );
    expect(await Promise.all(counts)).toEqual([0, 1, 1]);
    expect((await own.search({ deviceVariableIds: [variable.deviceVariableId] })).body.count).toBe(
      0,
    );
  });

  it('stays as it is when restored', async () => {
    const before = await made();
    await sleep(5);
    const { status, body } = await own.restore(before.id);
    expect([status, body]).toEqual([200, before]);
    expect((await own.retrieve(before.id)).body).toEqual(before);
  });

  it('can be updated', async () => {
    const { id } = await made();
    expect((await own.update(id, { name: 'Renamed' })).body.name).toBe('Renamed');
  });
});

describe('an archived Alarm', () => {
  it('becomes active again by restore, as it was', async () => {
    const alarm = await archived();
    await sleep(5);
    const { status, body } = await own.restore(alarm.id);
    expect([status, body]).toEqual([
      200,
      {
        ...alarm,
        isArchived: false,
        archivedDateTime: null,
        updatedDateTime: body.updatedDateTime,
      },
    ]);
    expect((await own.update(alarm.id, { name: 'Renamed' })).status).toBe(200);
  });

  it('stays as it is when archived again, and the audit log has one entry', async () => {
    const before = await archived();
    await sleep(5);
    expect((await own.archive(before.id)).status).toBe(204);
    expect((await own.retrieve(before.id)).body).toEqual(before);
    const { body } = await server.call(operations.listAuditLog, {
      query: `resourceId=${before.id}`,
    });
    expect(body.items.map(({ operation }: { operation: string }) => operation)).toEqual([
      'archiveAlarm',
      'createAlarm',
    ]);
  });

  it('cannot be updated: 409, and nothing changes', async () => {
    const before = await archived();
    for (const change of [{}, { name: 'Renamed' }, { isActive: false }]) {
      const { status, body } = await own.update(before.id, change);
      expect([status, body.code]).toEqual([409, 'CONFLICT']);
    }
    expect((await own.retrieve(before.id)).body).toEqual(before);
  });
});

describe('If-Match', () => {
  it('guards archiving and restoring against a change that came between', async () => {
    const { headers, body } = await own.create({ ...watched });
    const stale = { 'if-match': headers.get('etag') ?? '' };
    const renamed = await own.update(body.id, { name: 'Renamed' });
    expect((await own.archive(body.id, stale)).status).toBe(412);
    expect((await own.retrieve(body.id)).body.isArchived).toBe(false);
    const fresh = { 'if-match': renamed.headers.get('etag') ?? '' };
    expect((await own.archive(body.id, fresh)).status).toBe(204);
    expect((await own.archive(body.id, fresh)).status).toBe(412);
    expect((await own.archive(body.id)).status).toBe(204);
    expect((await own.restore(body.id, fresh)).status).toBe(412);
    const current = (await own.retrieve(body.id)).headers.get('etag') ?? '';
    expect((await own.restore(body.id, { 'if-match': current })).status).toBe(200);
  });

  it('that is stale answers 412 before the 409 of an archived Alarm', async () => {
    const { id } = await archived();
    expect((await own.update(id, {}, { 'if-match': '"0-x"' })).status).toBe(412);
  });

  it('lets one of twenty archivings with the same tag through; without it all are', async () => {
    const { headers, body } = await own.create({ ...watched });
    const ifMatch = { 'if-match': headers.get('etag') ?? '' };
    const times = Array.from({ length: 20 });
    const guarded = await Promise.all(times.map(() => own.archive(body.id, ifMatch)));
    expect(guarded.map(({ status }) => status).sort()).toEqual([
      204,
      ...Array.from({ length: 19 }, () => 412),
    ]);
    const plain = await Promise.all(times.map(() => own.archive(body.id)));
    expect(new Set(plain.map(({ status }) => status))).toEqual(new Set([204]));
  });
});

describe('deleting what an Alarm depends on', () => {
  const removeVariable = (at: Watched) =>
    server.call(operations.deleteVariable, {
      params: { deviceId: at.deviceId, variableId: at.deviceVariableId },
    });
  const removeDevice = (deviceId: string) =>
    server.call(operations.deleteDevice, { params: { deviceId } });
  const removeGroup = (alarmGroupId: string) =>
    server.call(operations.deleteAlarmGroup, { params: { alarmGroupId } });

  it('takes it along with its Variable, archived or not, and no other', async () => {
    const variable = await own.newVariable('NUMBER');
    const sibling = await made(await own.newVariable('NUMBER', variable.deviceId));
    const [active, other] = [await made(variable), await made(variable)];
    await own.archive(other.id);
    expect((await removeVariable(variable)).status).toBe(204);
    for (const { id } of [active, other]) expect((await own.retrieve(id)).status).toBe(404);
    expect((await own.retrieve(sibling.id)).status).toBe(200);
  });

  it('takes it along with its Device', async () => {
    const variable = await own.newVariable('NUMBER');
    const { id } = await made(variable);
    expect((await removeDevice(variable.deviceId)).status).toBe(204);
    expect((await own.retrieve(id)).status).toBe(404);
  });

  it('leaves it ungrouped without its group', async () => {
    const alarmGroupId = await own.newGroup();
    const { body } = await own.create({ ...watched, alarmGroupId });
    expect(body.alarmGroupId).toBe(alarmGroupId);
    expect((await removeGroup(alarmGroupId)).status).toBe(204);
    expect((await own.retrieve(body.id)).body).toEqual({ ...body, alarmGroupId: null });
  });

  it('at the same moment leaves nothing that names what is gone', async () => {
    for (let round = 0; round < 5; round += 1) {
      const variable = await own.newVariable('NUMBER');
      const alarmGroupId = await own.newGroup();
      const { id } = await made(variable);
      const [update, create, ...removals] = await Promise.all([
        own.update(id, { alarmGroupId }),
        own.create({ ...variable, alarmGroupId }),
        removeVariable(variable),
        removeGroup(alarmGroupId),
      ]);
      expect([200, 400, 404]).toContain(update.status);
      expect([201, 400]).toContain(create.status);
      expect(removals.map(({ status }) => status)).toEqual([204, 204]);
      expect((await own.retrieve(id)).status).toBe(404);
      if (create.status === 201) {
        expect((await own.retrieve(create.body.id)).status).toBe(404);
      }
    }
  });
});

describe("a neighbour's Alarm, Device, Variable or group", () => {
  it('answers like an unknown one in every operation', async () => {
    const variable = await theirs.newVariable('NUMBER');
    const alarmGroupId = await theirs.newGroup();
    const alarm = (await theirs.create({ ...variable })).body;
    for (const id of [alarm.id, UNKNOWN, 'not-a-uuid']) {
      const answers = [
        await own.retrieve(id),
        await own.update(id, { name: 'Stolen' }),
        await own.archive(id),
        await own.restore(id),
      ];
      expect(answers.map(({ status }) => status)).toEqual([404, 404, 404, 404]);
    }
    const { id } = await made();
    for (const foreign of [
      { deviceId: variable.deviceId },
      { deviceVariableId: variable.deviceVariableId },
      { alarmGroupId },
    ]) {
      const [[field, value] = ['', '']] = Object.entries(foreign);
      const message = `${field} names nothing that exists in this organization: ${value}`;
      for (const answer of [
        await own.create({ ...watched, ...foreign }),
        await own.update(id, foreign),
      ]) {
        expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
      }
    }
    expect((await theirs.retrieve(alarm.id)).body).toEqual(alarm);
  });
});
