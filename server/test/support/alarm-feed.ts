import { randomUUID } from 'node:crypto';
import { expect, onTestFinished } from 'vitest';
import { logStatements } from '../../src/alarms/engine/recording/index.ts';
import { createAlarmFeed } from '../../src/alarms/history/feed/index.ts';
import { insertLog } from '../../src/alarms/history/store.ts';
import { createDeferred, createLog, systemClock } from '../../src/runtime/index.ts';
import {
  type OrderedQueries,
  run,
  type Storage,
  type Transaction,
} from '../../src/storage/index.ts';
import { createTestDatabase } from './postgres.ts';
import { openTestStorage } from './storage.ts';

/** The failure that rolls a transaction back. */
export const ROLLED_BACK = new Error('rolled back by the test');

/** An organization id whose log writers take their locks in the given space. */
export function organizationIn(space: number): string {
  return `${randomUUID().slice(0, -2)}${space.toString(16).padStart(2, '0')}`;
}

export async function openDatabase(): Promise<{ url: string; storage: Storage }> {
  const { url, drop } = await createTestDatabase();
  onTestFinished(drop);
  return { url, storage: await openTestStorage({ databaseUrl: url }) };
}

interface NodeOptions {
  readonly hasPeers?: () => boolean;
  readonly isFollowed?: (organizationId: string) => boolean;
}

/** The feed of one node, with what it has announced as `<organization> <number>`. */
export function startFeed(
  storage: OrderedQueries,
  { hasPeers = () => false, isFollowed }: NodeOptions = {},
) {
  const announced: string[] = [];
  const noted: string[] = [];
  const feed = createAlarmFeed({
    storage,
    log: createLog('silent'),
    isFollowed: isFollowed ?? (() => true),
    announce: (organizationId, { id }) => announced.push(`${organizationId} ${id}`),
    hasPeers,
    onNoted: (organizationIds) => noted.push(...organizationIds),
  });
  feed.start();
  onTestFinished(feed.stop);
  const idsOf = (organizationId: string) =>
    announced.flatMap((each) => {
      const [of, id = ''] = each.split(' ');
      return of === organizationId ? [id] : [];
    });
  return { feed, idsOf, noted };
}

export async function createEvent(storage: Storage, organizationId: string): Promise<string> {
  const id = randomUUID();
  await storage.query(
    `insert into alarm_events (organization_id, id, alarm_id, alarm_name, alarm_name_folded,
       severity, operator, device_id, device_name, variable_id, variable_name, asset_ids,
       location_ids, raised_at, raised_value, is_acknowledgeable, is_shelved)
     values ($1, $2, $3, 'Too hot', 'too hot', 'HIGH', 'GREATER_THAN', $3, 'Generator', $3,
       'Temperature', '{}', '{}', now(), '1', true, false)`,
    [organizationId, id, randomUUID()],
  );
  return id;
}

/** Adds an entry to the log of an event, as one of the writers does it. */
type AddEntry = (tx: Transaction, organizationId: string, eventId: string) => Promise<void>;

export const addNote: AddEntry = async (tx, organizationId, eventId) => {
  const deed = { eventIds: [eventId], actor: 'someone', now: systemClock.now(), detail: null };
  await insertLog(tx, organizationId, 'NOTE', deed);
};

export const addCrossing: AddEntry = async (tx, organizationId, eventId) => {
  const ids = { organizationId, alarmId: randomUUID(), eventId, notificationId: randomUUID() };
  const logEntries = [{ ...ids, kind: 'RAISED' as const, at: 0, detail: null }];
  const update = { watches: [], raised: [], cleared: [], logEntries };
  for (const each of logStatements(update, systemClock.now())) await run(tx, each);
};

/** Changes of one event of one organization, each in a transaction of its own. */
export async function createWriter(storage: Storage, organizationId: string, addEntry = addNote) {
  const eventId = await createEvent(storage, organizationId);

  async function write(beforeEnd: () => Promise<unknown> = async () => undefined): Promise<void> {
    await storage.transaction(async (tx) => {
      await addEntry(tx, organizationId, eventId);
      await beforeEnd();
    });
  }

  /** A transaction that has drawn its number and stays open. */
  async function open() {
    const [drawn, end] = [createDeferred<void>(), createDeferred<void>()];
    const done = write(async () => {
      drawn.resolve();
      await end.promise;
    });
    await drawn.promise;
    return {
      async commit() {
        end.resolve();
        await done;
      },
      async rollBack() {
        end.reject(ROLLED_BACK);
        await expect(done).rejects.toBe(ROLLED_BACK);
      },
    };
  }

  return { write, open };
}
