import { operations } from '@fieldwatch/contract';
import pg from 'pg';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { eventBench } from '../support/alarm-events.ts';
import { startNeighbour, startServer, type TestServer } from '../support/server.ts';

const HOUR = 3_600_000;
const DAY = 24 * HOUR;

type Fields = Readonly<Record<string, unknown>>;

let server: TestServer;
const bench = eventBench(() => server);

beforeAll(async () => {
  server = await startServer();
});

afterAll(() => server.stop());

const at = (ms: number) => new Date(server.clock.now() + ms).toISOString();

const create = (scope: Fields, fields: Fields = {}) =>
  server.call(operations.createMaintenanceWindow, {
    body: {
      scope,
      reason: 'Oil change',
      ...(fields.recurrence ? {} : { to: at(HOUR) }),
      ...fields,
    },
  });

const errorsOf = ({ body }: { body: { errors?: { path: string; message: string }[] } }) =>
  (body.errors ?? []).map(({ path, message }) => `${path} ${message}`);

describe('the fields of a maintenance window', () => {
  const daily = (fields: Fields) => ({
    recurrence: {
      ...{ kind: 'WEEKLY', weekdays: ['MONDAY', 'TUESDAY'], startTime: '06:00', untilDate: null },
      ...{ durationMinutes: 60, timeZone: 'Europe/Vienna', ...fields },
    },
  });

  it('must have an end within 31 days and a scope', async () => {
    const { alarm } = await bench.newWatched();
    const scope = { alarmIds: [alarm.id] };
    const from = at(HOUR);
    const after = (ms: number) => new Date(Date.parse(from) + ms).toISOString();
    const refused: readonly (readonly [Fields, Fields, string])[] = [
      [scope, { to: null }, 'to is required: a maintenance window must have an end'],
      [scope, { from, to: from }, 'to must be after from'],
      [scope, { from, to: after(31 * DAY + 1) }, 'to must be at most 31 days after from'],
      [scope, { to: at(31 * DAY + HOUR) }, 'to must be at most 31 days after from'],
      [scope, { from: at(-2 * HOUR), to: at(-HOUR) }, 'to must not be in the past'],
      [{}, {}, 'scope must name at least one record'],
      [
        { alarmIds: [server.organizationId] },
        {},
        `scope.alarmIds[0] names nothing that exists in this organization: ${server.organizationId}`,
      ],
      [scope, { ...daily({}), to: at(HOUR) }, 'to must be left out with recurrence'],
      [
        scope,
        daily({ durationMinutes: 1_381 }),
        'recurrence.durationMinutes must be at most 1380, so that each period ends before the next one',
      ],
      [
        scope,
        daily({ timeZone: '+02:00' }),
        'recurrence.timeZone must be the IANA name of a time zone',
      ],
      [scope, daily({ untilDate: '2020-01-01' }), 'recurrence.untilDate must not be in the past'],
    ];
    for (const [given, fields, message] of refused) {
      expect(errorsOf(await create(given, fields))).toEqual([message]);
    }
    for (const fields of [
      { from, to: after(31 * DAY) },
      { from, to: after(31 * DAY - 1) },
      { from, to: after(1) },
      daily({ durationMinutes: 1_380 }),
      daily({ durationMinutes: 1_379 }),
    ]) {
      const { status, text } = await create(scope, fields);
      expect(status, text).toBe(201);
    }
  });

  it('are listed by what they cover, and unknown to another organization', async () => {
    const point = await bench.newPoint();
    const { body: window } = await create({ deviceIds: [point.deviceId] });
    const list = async (query: string) => {
      const { body } = await server.call(operations.listMaintenanceWindows, { query });
      return body.items.map(({ id }: { id: string }) => id);
    };
    expect(await list(`state=ACTIVE&deviceId=${point.deviceId}`)).toEqual([window.id]);
    expect(await list(`state=ENDED&deviceId=${point.deviceId}`)).toEqual([]);
    expect(await list(`assetId=${point.deviceId}`)).toEqual([]);
    expect(await list('search=OIL%20CH&take=1')).toEqual([window.id]);
    const neighbour = await startNeighbour(server);
    const params = { maintenanceWindowId: window.id };
    for (const operation of [
      operations.retrieveMaintenanceWindow,
      operations.endMaintenanceWindow,
      operations.deleteMaintenanceWindow,
    ]) {
      expect((await neighbour.call(operation, { params })).status).toBe(404);
    }
    const body = { scope: { deviceIds: [point.deviceId] }, reason: 'Theirs', to: at(HOUR) };
    const theirs = await neighbour.call(operations.createMaintenanceWindow, { body });
    expect(theirs.status).toBe(400);
  });

  it('are those of at most 500 windows that have not ended', async () => {
    const { alarm } = await bench.newWatched();
    const scope = { alarmIds: [alarm.id] };
    const database = new pg.Client({ connectionString: server.databaseUrl });
    await database.connect();
    await database.query('delete from maintenance_windows');
    const { body: ended } = await create(scope);
    const params = { maintenanceWindowId: ended.id };
    await server.call(operations.endMaintenanceWindow, { params });
    const { body: first } = await create(scope);
    const { fields } = await database.query('select * from maintenance_windows limit 0');
    const copied = fields.map(({ name }) => name).filter((name) => name !== 'id');
    await database.query(
      `insert into maintenance_windows (id, ${copied})
       select gen_random_uuid(), ${copied} from maintenance_windows, generate_series(1, 497)
       where id = $1`,
      [first.id],
    );
    await database.end();
    const made = [await create(scope), await create(scope), await create(scope)];
    expect(made.map(({ status }) => status)).toEqual([201, 201, 409]);
    expect(made[2]?.body.detail).toContain('at most 500 maintenance windows');
  });
});
