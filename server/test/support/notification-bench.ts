import { operations, type Severity } from '@fieldwatch/contract';
import pg from 'pg';
import type { TestServer } from './server.ts';

export interface NotificationFields {
  readonly kind?: 'raised' | 'cleared' | 'acknowledged';
  readonly severity?: Severity;
  readonly alarmGroupId?: string | null;
  readonly alarmName?: string;
  readonly locationId?: string | null;
  /** The Alarm of the event; another one each time unless given. */
  readonly alarmId?: string;
}

/** Writes alarm events and their notifications, as the alarm engine of a server would. */
export interface NotificationBench {
  /** Writes one event with its notification; returns the id of the event. */
  notify(fields?: NotificationFields): Promise<string>;
  /** Clears an event, and writes the notification of that. */
  clear(eventId: string): Promise<void>;
  /** Writes many events with their notifications in one statement. */
  notifyMany(count: number, fields?: NotificationFields): Promise<void>;
  query<Row extends object>(sql: string, params?: readonly unknown[]): Promise<Row[]>;
  stop(): Promise<void>;
}

export async function notificationBench(server: TestServer): Promise<NotificationBench> {
  const { body: device } = await server.call(operations.createDevice, {
    body: { type: 'CUSTOM_DEVICE', name: 'Generator 2' },
  });
  const { body: variable } = await server.call(operations.createVariable, {
    params: { deviceId: device.id },
    body: {
      name: 'Oil pressure',
      topicPropertyPath: 'oil.pressure',
      type: 'NUMBER',
      unit: 'bar',
      isLoggingEnabled: true,
    },
  });
  const client = new pg.Client({ connectionString: server.databaseUrl });
  client.on('error', () => undefined);
  await client.connect();

  async function insert(
    count: number,
    fields: NotificationFields,
  ): Promise<{ event_id: string }[]> {
    const { kind = 'raised', severity = 'CRITICAL', alarmGroupId = null } = fields;
    const { alarmName = 'Oil pressure low', locationId = null, alarmId = null } = fields;
    const at = new Date(server.clock.now()).toISOString();
    const { rows } = await client.query(
      `with events as (
         insert into alarm_events (organization_id, id, alarm_id, alarm_name, alarm_name_folded,
           severity, operator, threshold, device_id, device_name, variable_id, variable_name,
           asset_ids, location_ids, alarm_group_id, raised_at, raised_value, cleared_at,
           cleared_value, cleared_reason, is_acknowledgeable, acknowledged_at, acknowledged_by,
           is_shelved, location_id)
         select $1, gen_random_uuid(), coalesce($11, gen_random_uuid()), $2, lower($2), $3, 'LESS_THAN', '2', $4,
           'Generator 2', $5, 'Oil pressure', '{}', '{}', $6, $7, '1.5',
           case when $8 = 'cleared' then $7::timestamptz end,
           case when $8 = 'cleared' then '2.5'::jsonb end,
           case when $8 = 'cleared' then 'RECOVERED' end, true,
           case when $8 = 'acknowledged' then $7::timestamptz end,
           case when $8 = 'acknowledged' then 'ann@example.com' end, false, $10
         from generate_series(1, $9) returning organization_id, id)
       insert into notification_outbox (id, organization_id, event_id, kind, created_at)
       select gen_random_uuid(), organization_id, id, $8, $7 from events returning event_id`,
      [
        server.organizationId,
        alarmName,
        severity,
        device.id,
        variable.id,
        alarmGroupId,
        at,
        kind,
        count,
        locationId,
        alarmId,
      ],
    );
    return rows;
  }

  return {
    async notify(fields = {}) {
      return (await insert(1, fields))[0]?.event_id ?? '';
    },
    async clear(eventId) {
      await client.query(
        `with cleared as (
           update alarm_events set cleared_at = $2, cleared_value = '2.5', cleared_reason = 'RECOVERED'
           where id = $1 returning organization_id, id)
         insert into notification_outbox (id, organization_id, event_id, kind, created_at)
         select gen_random_uuid(), organization_id, id, 'cleared', $2 from cleared`,
        [eventId, new Date(server.clock.now()).toISOString()],
      );
    },
    async notifyMany(count, fields = {}) {
      await insert(count, fields);
    },
    async query<Row extends object>(sql: string, params: readonly unknown[] = []) {
      return (await client.query<Row>(sql, [...params])).rows;
    },
    stop: () => client.end(),
  };
}
