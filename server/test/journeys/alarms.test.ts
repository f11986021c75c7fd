import { ALARM_OPERATORS, SEVERITIES } from '@fieldwatch/contract';
import { beforeAll, describe, expect, it } from 'vitest';
import { alarmBench, errorsOf, type Watched } from '../support/alarms.ts';
import { type JoinedNeighbours, joinNeighbours } from '../support/neighbours.ts';
import type { TestOrganization } from '../support/server.ts';

const UNKNOWN = '018f0000-0000-7000-8000-00000000dead';
const EMOJI = '😀';

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

describe('creating an Alarm', () => {
  it('returns the whole record with defaults and its Location header', async () => {
    const { status, body, headers } = await create({ name: 'Too hot' });
    expect(status).toBe(201);
    expect(body).toEqual({
      id: body.id,
      name: 'Too hot',
      isActive: true,
      ...number,
      operator: 'EQUAL',
      alarmGroupId: null,
      thresholdValueNumber: null,
      thresholdValueString: null,
      thresholdValueBoolean: null,
      severity: 'MEDIUM',
      isAcknowledgeable: false,
      delayProcessingSeconds: null,
      isTriggered: false,
      triggeredDateTime: null,
      isArchived: false,
      archivedDateTime: null,
      createdDateTime: body.createdDateTime,
      updatedDateTime: body.createdDateTime,
    });
    expect(headers.get('location')).toBe(`/primary/v1/${server.organizationId}/alarms/${body.id}`);
    expect((await own.retrieve(body.id)).body).toEqual(body);
  });

  it('keeps every field that is given', async () => {
    const given = {
      name: 'Full',
      isActive: false,
      operator: 'GREATER_THAN_OR_EQUAL',
      alarmGroupId: await own.newGroup(),
      thresholdValueNumber: 80.5,
      thresholdValueString: null,
      thresholdValueBoolean: null,
      severity: 'CRITICAL',
      isAcknowledgeable: true,
      delayProcessingSeconds: 30,
    };
    const { status, body } = await create(given);
    expect([status, body]).toEqual([201, { ...body, ...given, ...number }]);
    const upper = {
      deviceId: number.deviceId.toUpperCase(),
      deviceVariableId: number.deviceVariableId.toUpperCase(),
    };
    expect(await made(upper)).toMatchObject(number);
  });

  it.each(ALARM_OPERATORS)('knows the operator %s', async (operator) => {
    expect((await create({ operator, thresholdValueNumber: 1 })).status).toBe(201);
    const other = operator === 'EQUAL' || operator === 'NOT_EQUAL' ? 201 : 400;
    for (const fields of [
      { ...string, thresholdValueString: 'on' },
      { ...boolean, thresholdValueBoolean: false },
      string,
      boolean,
    ]) {
      expect((await create({ ...fields, operator })).status).toBe(other);
    }
  });

  it.each(SEVERITIES)('knows the severity %s', async (severity) => {
    expect((await made({ severity })).severity).toBe(severity);
  });

  it.each([
    [0, 400],
    [1, 201],
    [100, 201],
    [101, 400],
  ])('takes a name of %i characters as it should', async (length, status) => {
    expect((await create({ name: 'x'.repeat(length) })).status).toBe(status);
    if (length === 0) return;
    expect((await create({ name: 'x'.repeat(length - 1) + EMOJI })).status).toBe(status);
  });

  it.each([
    [-1, 400],
    [-Number.MIN_VALUE, 400],
    [0, 201],
    [1, 201],
    [0.1, 201],
    [999_998, 201],
    [999_999, 201],
    [999_999.000_001, 400],
    [1_000_000, 400],
    ['1', 400],
    [true, 400],
    [null, 201],
  ])('takes the number %j as it should', async (thresholdValueNumber, status) => {
    const answer = await create({ thresholdValueNumber });
    expect(answer.status).toBe(status);
    if (status === 201) expect(answer.body.thresholdValueNumber).toBe(thresholdValueNumber);
  });

  it.each([
    [0, 201],
    [1, 201],
    [499, 201],
    [500, 201],
    [501, 400],
  ])('takes a string of %i characters as it should', async (length, status) => {
    const text = length === 0 ? '' : 'x'.repeat(length - 1) + EMOJI;
    const answer = await create({ ...string, thresholdValueString: text });
    expect(answer.status).toBe(status);
    if (status === 201) expect(answer.body.thresholdValueString).toBe(text);
  });

  it.each([true, false, null])('takes the boolean %j', async (thresholdValueBoolean) => {
    const answer = await create({ ...boolean, thresholdValueBoolean });
    expect([answer.status, answer.body.thresholdValueBoolean]).toEqual([
      201,
      thresholdValueBoolean,
    ]);
  });

  it.each([
    [-1, 400],
    [0, 201],
    [1, 201],
    [899, 201],
    [900, 201],
    [901, 400],
    [1.5, 400],
    ['5', 400],
    [null, 201],
  ])('takes a delay of %j seconds as it should', async (delayProcessingSeconds, status) => {
    expect((await create({ delayProcessingSeconds })).status).toBe(status);
  });

  it.each([
    [{ name: ' ' }, 'name must not be only white space'],
    [{ name: null }, 'name must be a string'],
    [{ name: undefined }, 'name is required'],
    [{ isActive: undefined }, 'isActive is required'],
    [{ isActive: 1 }, 'isActive must be true or false'],
    [{ deviceId: undefined }, 'deviceId is required'],
    [{ deviceId: null }, 'deviceId must be a string'],
    [{ deviceId: 'x' }, 'deviceId must be a UUID'],
    [{ deviceVariableId: undefined }, 'deviceVariableId is required'],
    [{ operator: undefined }, 'operator is required'],
    [{ operator: 'ABOUT' }, `operator must be one of ${ALARM_OPERATORS.join(', ')}`],
    [{ alarmGroupId: undefined }, 'alarmGroupId is required'],
    [{ alarmGroupId: 'x' }, 'alarmGroupId must be a UUID'],
    [{ severity: null }, 'severity must be a string'],
    [{ severity: 'LOUD' }, `severity must be one of ${SEVERITIES.join(', ')}`],
    [{ isAcknowledgeable: null }, 'isAcknowledgeable must be true or false'],
    [{ thresholdValueBoolean: 0 }, 'thresholdValueBoolean must be true or false or null'],
    [{ thresholdValueString: 0 }, 'thresholdValueString must be a string or null'],
    [{ isTriggered: true }, 'isTriggered is not a field of this request'],
    [{ deviceId: UNKNOWN }, `deviceId ${nothing(UNKNOWN)}`],
    [{ deviceVariableId: UNKNOWN }, `deviceVariableId ${nothing(UNKNOWN)}`],
    [{ alarmGroupId: UNKNOWN }, `alarmGroupId ${nothing(UNKNOWN)}`],
    [
      { thresholdValueString: '' },
      'thresholdValueString must be null or left out for a NUMBER Variable',
    ],
    [
      { thresholdValueBoolean: false },
      'thresholdValueBoolean must be null or left out for a NUMBER Variable',
    ],
  ])('refuses %j', async (body, message) => {
    const answer = await create(body);
    expect([answer.status, errorsOf(answer)]).toEqual([400, [message]]);
  });

  it('names every bad field at once', async () => {
    const references = await create({
      deviceId: UNKNOWN,
      deviceVariableId: UNKNOWN,
      alarmGroupId: UNKNOWN,
    });
    expect(errorsOf(references)).toEqual([
      `deviceId ${nothing(UNKNOWN)}`,
      `deviceVariableId ${nothing(UNKNOWN)}`,
      `alarmGroupId ${nothing(UNKNOWN)}`,
    ]);
    const terms = await create({
      ...string,
      deviceId: await own.newDevice(),
      operator: 'LESS_THAN',
      thresholdValueNumber: 0,
      thresholdValueString: 'fits',
      thresholdValueBoolean: false,
    });
    expect(errorsOf(terms)).toEqual([
      'deviceVariableId is not a Variable of this Device',
      'operator must be EQUAL or NOT_EQUAL for a STRING Variable',
      'thresholdValueNumber must be null or left out for a STRING Variable',
      'thresholdValueBoolean must be null or left out for a STRING Variable',
    ]);
  });
});
