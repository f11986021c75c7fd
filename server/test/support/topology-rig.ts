import { operations } from '@fieldwatch/contract';
import pg from 'pg';
import { expect } from 'vitest';
import { onlineVariableIdOf } from '../../src/presence/index.ts';
import type { TestClock } from './clock.ts';
import { type Receiver, startReceiver } from './receiver.ts';
import { startServer, type TestServer } from './server.ts';

const MINUTE = 60_000;
export const ONLINE_MS = 10 * MINUTE;
/** So long the event of a Device waits for those above it. */
export const WAIT_MS = 90_000;

/** A server with Devices behind others, and a webhook that is sent when one goes offline. */
export class TopologyRig {
  readonly server: TestServer;
  readonly database: pg.Client;
  receiver!: Receiver;
  alarmGroupId = '';

  static async start(clock?: TestClock): Promise<TopologyRig> {
    const server = await startServer({
      ...(clock === undefined ? {} : { clock }),
      env: {
        FIELDWATCH_OUTBOUND_ALLOW: '127.0.0.0/8',
        FIELDWATCH_ONLINE_MINUTES: String(ONLINE_MS / MINUTE),
      },
    });
    const database = new pg.Client({ connectionString: server.databaseUrl });
    await database.connect();
    return new TopologyRig(server, database);
  }

  private constructor(server: TestServer, database: pg.Client) {
    this.server = server;
    this.database = database;
  }

  async stop(): Promise<void> {
    await this.database.end();
    await this.server.stop();
  }

  /** An alarm group of its own for a test, with a webhook. */
  async newGroup(): Promise<void> {
    this.receiver = await startReceiver();
    const { body: webhook } = await this.server.call(operations.createWebhook, {
      body: { name: 'Pager', url: this.receiver.url },
    });
    const subscriptions = [{ kind: 'WEBHOOK', webhookId: webhook.id }];
    const { body } = await this.server.call(operations.createAlarmGroup, {
      body: { name: 'Group', subscriptions },
    });
    this.alarmGroupId = body.id;
  }

  readonly types = (): string[] => this.receiver.received.map(({ body }) => body.type);

  async received(expected: readonly string[]): Promise<void> {
    await expect.poll(this.types).toEqual(expected);
  }

  async newDevice(fields: Readonly<Record<string, unknown>>): Promise<string> {
    const body = { type: 'CUSTOM_DEVICE', name: 'Device', ...fields };
    const {
      status,
      text,
      body: device,
    } = await this.server.call(operations.createDevice, { body });
    expect(status, text).toBe(201);
    return device.id;
  }

  async newOfflineAlarm(deviceId: string, severity = 'HIGH'): Promise<void> {
    const { alarmGroupId } = this;
    const deviceVariableId = onlineVariableIdOf(deviceId);
    const terms = { operator: 'EQUAL', thresholdValueBoolean: false, severity, isActive: true };
    const { status, text } = await this.server.call(operations.createAlarm, {
      body: { name: 'Offline', deviceId, deviceVariableId, alarmGroupId, ...terms },
    });
    expect(status, text).toBe(201);
  }

  /** The Devices send something: they are online for their window. */
  async report(deviceIds: readonly string[]): Promise<void> {
    await inBatches(deviceIds, async (deviceId) => {
      const { status, text } = await this.server.call(operations.writeReadings, {
        params: { deviceId },
        body: { data: { any: 1 } },
      });
      expect(status, text).toBe(200);
    });
  }

  async count(sql: string): Promise<number> {
    const { rows } = await this.database.query(
      `select count(*)::int as count from ${sql.replaceAll('$group', `'${this.alarmGroupId}'`)}`,
    );
    return rows[0].count;
  }

  /** Resolves when so many events of the group are open. */
  async offline(events: number): Promise<void> {
    await expect.poll(() => this.count(OPEN)).toBe(events);
  }

  async suppressed(events: number): Promise<void> {
    const sql = `${OPEN} and suppression_kind = 'TOPOLOGY'`;
    await expect.poll(() => this.count(sql)).toBe(events);
  }

  /** Resolves when so many notifications of the group wait for the Devices above. */
  async waiting(notifications: number): Promise<void> {
    const sql = `held_notifications join alarm_events event on event.id = event_id
      where alarm_group_id = $group and reason = 'WAIT'`;
    await expect.poll(() => this.count(sql)).toBe(notifications);
  }

  async waitOut(notifications: number): Promise<void> {
    await this.waiting(notifications);
    this.server.clock.advance(WAIT_MS);
  }

  /** Resolves when all of the Devices are recorded as seen, and as online or offline. */
  async recorded(isOnline: boolean, ids: readonly string[]): Promise<void> {
    const recordedCount = async () => {
      const { rows } = await this.database.query(
        `select count(*)::int as count from devices
         where is_online = $1 and last_seen_at is not null and id = any($2)`,
        [isOnline, ids],
      );
      return rows[0].count as number;
    };
    await expect.poll(recordedCount).toBe(ids.length);
  }

  async comeOnline(ids: readonly string[]): Promise<void> {
    await this.report(ids);
    await this.recorded(true, ids);
  }

  /** A gateway with Devices behind it, all of them online. */
  async newSite(
    deviceCount: number,
    {
      severityOf = (_: number) => 'HIGH',
      fields = {},
    }: { severityOf?: (index: number) => string; fields?: Readonly<Record<string, unknown>> } = {},
  ) {
    const gateway = await this.newDevice({ name: 'Gateway' });
    const indexes = Array.from({ length: deviceCount }, (_, index) => index);
    const children: string[] = [];
    await inBatches(indexes, async (index) => {
      const named = { name: `Sensor ${index}`, parentDeviceId: gateway, ...fields };
      const id = await this.newDevice(named);
      await this.newOfflineAlarm(id, severityOf(index));
      children[index] = id;
    });
    await this.comeOnline([gateway, ...children]);
    return { gateway, children };
  }
}

const OPEN = `alarm_events where alarm_group_id = $group and cleared_at is null`;

async function inBatches<T>(all: readonly T[], work: (each: T) => Promise<void>): Promise<void> {
  for (let index = 0; index < all.length; index += 50) {
    await Promise.all(all.slice(index, index + 50).map(work));
  }
}
