import { type AlarmEvent, operations, type VariableType } from '@fieldwatch/contract';
import { expect } from 'vitest';
import type { Answered } from './call.ts';
import type { TestOrganization } from './server.ts';

type Fields = Readonly<Record<string, unknown>>;

export interface Point {
  readonly deviceId: string;
  readonly deviceVariableId: string;
  readonly path: string;
}

/** What tests of alarm events do again and again, in the organization of one server. */
export function eventBench(server: () => TestOrganization) {
  let points = 0;

  async function made(
    operation: Parameters<TestOrganization['call']>[0],
    params: Fields,
    body: Fields,
  ) {
    const answer = await server().call(operation, { params: params as never, body });
    expect(answer.status, answer.text).toBe(201);
    return answer.body;
  }

  async function newPoint(type: VariableType = 'NUMBER', device: Fields = {}): Promise<Point> {
    points += 1;
    const path = `point.${points}`;
    const fields = { type: 'CUSTOM_DEVICE', name: 'Generator', ...device };
    const { id: deviceId } = await made(operations.createDevice, {}, fields);
    const { id } = await made(
      operations.createVariable,
      { deviceId },
      { topicPropertyPath: path, type, name: 'Temperature', isLoggingEnabled: true },
    );
    return { deviceId, deviceVariableId: id, path };
  }

  const newAlarm = async ({ deviceId, deviceVariableId }: Point, fields: Fields = {}) =>
    await made(
      operations.createAlarm,
      {},
      {
        name: 'Too hot',
        isActive: true,
        deviceId,
        deviceVariableId,
        operator: 'GREATER_THAN',
        thresholdValueNumber: 50,
        alarmGroupId: null,
        ...fields,
      },
    );

  const alarm = async (alarmId: string) =>
    (await server().call(operations.retrieveAlarm, { params: { alarmId } })).body;

  const history = (body: Fields = {}, auth = server().key): Promise<Answered> =>
    server().call(operations.listAlarmHistory, {
      auth,
      body: { startTime: 0, endTime: 8_640_000_000_000_000, ...body },
    });

  return {
    newPoint,
    newAlarm,
    alarm,
    history,
    /** A point with an Alarm on it. */
    async newWatched(fields: Fields = {}, type: VariableType = 'NUMBER') {
      const point = await newPoint(type);
      return { point, alarm: await newAlarm(point, fields) };
    },
    async report({ deviceId, path }: Point, value: unknown, timestamp?: number): Promise<void> {
      const { status, text } = await server().call(operations.writeReadings, {
        params: { deviceId },
        body: { dataArray: [{ key: path, value, ...(timestamp ? { timestamp } : {}) }] },
      });
      expect(status, text).toBe(200);
    },
    /** The events of an Alarm, oldest first. */
    async eventsOf(alarmId: string): Promise<AlarmEvent[]> {
      const { body } = await history({ take: 1000 });
      const items: AlarmEvent[] = body.items;
      return items.filter((event) => event.alarmId === alarmId).reverse();
    },
    timeline: (eventId: string): Promise<Answered> =>
      server().call(operations.listAlarmTimeline, { params: { eventId } }),
    acknowledge: (eventId: string, auth: string, body?: Fields): Promise<Answered> =>
      server().call(operations.acknowledgeAlarmEvent, { auth, params: { eventId }, body }),
    edit: (alarmId: string, body: Fields): Promise<Answered> =>
      server().call(operations.updateAlarm, { params: { alarmId }, body }),
  };
}

/** How an event looks to someone who asks when, with what and why it began and ended. */
export function storyOf(event: AlarmEvent) {
  const { raisedDateTime, raisedValue, clearedDateTime, clearedValue, clearedReason } = event;
  const end = clearedDateTime === null ? null : Date.parse(clearedDateTime);
  return [Date.parse(raisedDateTime), raisedValue, end, clearedValue, clearedReason];
}
