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
let number: Watched;
let string: Watched;
let boolean: Watched;

beforeAll(async () => {
  neighbours = await joinNeighbours();
  ({ server } = neighbours);
  const device = await own.newDevice();
  number = await own.newVariable('NUMBER', device);
  string = await own.newVariable('STRING', device);
  boolean = await own.newVariable('BOOLEAN', device);
});

type Fields = Record<string, unknown>;

const create = (fields: Fields = {}) => own.create({ ...number, ...fields });
const made = async (fields: Fields = {}) => (await create(fields)).body;
const nothing = (id: string) => `names nothing that exists in this organization: ${id}`;

describe('updating an Alarm', () => {
  it('changes the given fields and keeps the others', async () => {
    const before = await made({ thresholdValueNumber: 5, delayProcessingSeconds: 10 });
    const alarmGroupId = await own.newGroup();
    await sleep(5);
    const changes: Fields[] = [
      { name: 'Renamed' },
      { isActive: false },
      { operator: 'LESS_THAN' },
      { alarmGroupId },
      { thresholdValueNumber: 0 },
      { severity: 'LOW', isAcknowledgeable: true },
      { delayProcessingSeconds: 0 },
      { alarmGroupId: null },
      { thresholdValueNumber: null, delayProcessingSeconds: null },
      { ...string, operator: 'NOT_EQUAL', thresholdValueString: '' },
      { ...boolean, thresholdValueString: null, thresholdValueBoolean: false },
      {},
    ];
    let expected = before;
    for (const change of changes) {
      const { status, body } = await own.update(before.id, change);
      expected = { ...expected, ...change, updatedDateTime: body.updatedDateTime };
      expect([status, body]).toEqual([200, expected]);
    }
    expect(expected.updatedDateTime > before.updatedDateTime).toBe(true);
    expect((await own.retrieve(before.id)).body).toEqual(expected);
  });

  it('moves to a Variable of another Device together with that Device only', async () => {
    const { id } = await made();
    const other = await own.newVariable('NUMBER');
    const refused = 'deviceVariableId is not a Variable of this Device';
    for (const half of [
      { deviceId: other.deviceId },
      { deviceVariableId: other.deviceVariableId },
    ]) {
      expect(errorsOf(await own.update(id, half))).toEqual([refused]);
    }
    expect((await own.update(id, { ...other })).body).toMatchObject(other);
  });

  it('judges the merged result', async () => {
    const { id } = await made({ operator: 'LESS_THAN', thresholdValueNumber: 1 });
    const move = { deviceVariableId: string.deviceVariableId };
    expect(errorsOf(await own.update(id, move))).toEqual([
      'operator must be EQUAL or NOT_EQUAL for a STRING Variable',
      'thresholdValueNumber must be null or left out for a STRING Variable',
    ]);
    const half = { ...move, operator: 'EQUAL' };
    expect(errorsOf(await own.update(id, half))).toEqual([
      'thresholdValueNumber must be null or left out for a STRING Variable',
    ]);
    expect((await own.update(id, { ...half, thresholdValueNumber: null })).status).toBe(200);
    expect(errorsOf(await own.update(id, { operator: 'LESS_THAN' }))).toEqual([
      'operator must be EQUAL or NOT_EQUAL for a STRING Variable',
    ]);
  });

  it.each([
    [{ name: null }, 'name must be a string'],
    [{ name: '' }, 'name must have at least 1 character'],
    [{ isActive: null }, 'isActive must be true or false'],
    [{ deviceId: null }, 'deviceId must be a string'],
    [{ deviceVariableId: null }, 'deviceVariableId must be a string'],
    [{ operator: null }, 'operator must be a string'],
    [{ severity: null }, 'severity must be a string'],
    [{ isAcknowledgeable: null }, 'isAcknowledgeable must be true or false'],
    [{ thresholdValueNumber: -1 }, 'thresholdValueNumber must be at least 0'],
    [{ delayProcessingSeconds: 901 }, 'delayProcessingSeconds must be at most 900'],
    [{ isTriggered: true }, 'isTriggered cannot be changed: it is fixed or unknown'],
    [{ isArchived: true }, 'isArchived cannot be changed: it is fixed or unknown'],
    [{ id: UNKNOWN }, 'id cannot be changed: it is fixed or unknown'],
    [{ deviceId: UNKNOWN }, `deviceId ${nothing(UNKNOWN)}`],
    [{ deviceVariableId: UNKNOWN }, `deviceVariableId ${nothing(UNKNOWN)}`],
    [{ alarmGroupId: UNKNOWN }, `alarmGroupId ${nothing(UNKNOWN)}`],
  ])('refuses %j and changes nothing', async (body, message) => {
    const before = await made();
    const answer = await own.update(before.id, body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
    expect((await own.retrieve(before.id)).body).toEqual(before);
  });

  it('lets one of twenty changes with the same tag through', async () => {
    const { headers, body } = await create();
    const ifMatch = { 'if-match': headers.get('etag') ?? '' };
    const statuses = await Promise.all(
      Array.from({ length: 20 }, async (_, index) => {
        return (await own.update(body.id, { name: `Racer ${index}` }, ifMatch)).status;
      }),
    );
    expect(statuses.sort()).toEqual([200, ...Array.from({ length: 19 }, () => 412)]);
  });

  it('refuses one of two concurrent changes that are invalid together', async () => {
    for (let round = 0; round < 10; round += 1) {
      const { id } = await made();
      const answers = await Promise.all([
        own.update(id, { thresholdValueNumber: 1 }),
        own.update(id, { deviceVariableId: string.deviceVariableId }),
      ]);
      expect(answers.map(({ status }) => status).sort()).toEqual([200, 400]);
    }
  });

  it('is recorded in the audit log with the fields that changed', async () => {
    const { id } = await made();
    await own.update(id, { severity: 'HIGH', isActive: true });
    const { body } = await server.call(operations.listAuditLog, { query: `resourceId=${id}` });
    expect(body.items[0]).toMatchObject({
      operation: 'updateAlarm',
      resource: 'Alarm',
      changes: [{ field: 'severity', from: 'MEDIUM', to: 'HIGH' }],
    });
    expect(body.items[1].changes.map(({ field }: Fields) => field)).not.toContain('isTriggered');
  });
});
