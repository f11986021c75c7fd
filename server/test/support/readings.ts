import { randomUUID } from 'node:crypto';
import { onTestFinished } from 'vitest';
import type { Fence } from '../../src/nodes/index.ts';
import { insertNode } from '../../src/nodes/store.ts';
import { valueAt } from '../../src/readings/columns/index.ts';
import {
  createReadings,
  type Reading,
  type Readings,
  type ReadingsDeps,
  type ReadingsLimits,
  type Value,
} from '../../src/readings/index.ts';
import type { Range } from '../../src/readings/reading.ts';
import { type Clock, createIds, createLog, systemClock } from '../../src/runtime/index.ts';
import type { SessionLocks, Storage } from '../../src/storage/index.ts';
import type { VariableRef } from '../../src/variables/index.ts';
import { createTestDatabase } from './postgres.ts';
import { NO_PEERS, SOLE_OWNER } from './sole-owner.ts';
import { openTestStorage } from './storage.ts';

const newId = createIds(systemClock);

/** A database of this test alone. */
export async function openHistory(): Promise<Storage> {
  const database = await createTestDatabase();
  onTestFinished(() => database.drop());
  return await openTestStorage({ databaseUrl: database.url });
}

/** Enters a node of this test when it is first needed. */
function testFence(storage: Storage): Fence {
  const node = { id: randomUUID(), version: '0.0.0', address: '' };
  const incarnation = { id: node.id, epoch: 0 };
  let entered: Promise<void> | undefined;
  return {
    incarnation,
    ready() {
      entered ??= storage
        .transaction((tx) => insertNode(tx, node))
        .then((epoch) => void Object.assign(incarnation, { epoch }));
      return entered;
    },
    confirm: () => Promise.resolve(),
  };
}

const lockSessions = new WeakMap<Readings, SessionLocks[]>();

/** As a kill of the server: the readings are left as they are, and the lock of their journal is free. */
export async function kill(readings: Readings): Promise<void> {
  for (const session of lockSessions.get(readings) ?? []) await session.end();
}

/** Readings that flush on request, or when these limits require it. */
export function readingsOn(
  storage: Storage,
  limits: Partial<ReadingsLimits> = {},
  clock: Clock = systemClock,
  isClockTrusted = () => true,
  node: Pick<ReadingsDeps, 'ownership' | 'peers'> &
    Partial<Pick<ReadingsDeps, 'isKnownToAll' | 'isAlone' | 'onAdopted'>> = {
    ...{ ownership: SOLE_OWNER, peers: NO_PEERS },
  },
): Readings {
  const sessions: SessionLocks[] = [];
  const readings = createReadings({
    storage: {
      ...storage,
      async openSessionLocks(onLost) {
        const session = await storage.openSessionLocks(onLost);
        sessions.push(session);
        return session;
      },
    },
    clock,
    log: createLog('silent'),
    fence: testFence(storage),
    isKnownToAll: () => true,
    isAlone: () => true,
    ...node,
    isClockTrusted,
    limits: { checkEveryMs: 3_600_000, compactEveryMs: 3_600_000, ...limits },
  });
  lockSessions.set(readings, sessions);
  return readings;
}

/** A Variable of a Device and an organization of its own. */
export async function storeVariable(
  storage: Storage,
  type: VariableRef['type'],
  isLoggingEnabled = true,
): Promise<VariableRef> {
  const [organizationId, deviceId, id] = [newId(), newId(), newId()];
  await storage.query(
    `insert into organizations (id, name, created_at, updated_at) values ($1, 'Some', now(), now())`,
    [organizationId],
  );
  await storage.query(
    `insert into devices (organization_id, id, type, name, name_folded, description, password_hash,
       created_at, updated_at)
     values ($1, $2, 'CUSTOM_DEVICE', 'Device', 'device', '', '', now(), now())`,
    [organizationId, deviceId],
  );
  const [row] = await storage.query<{ seriesId: number }>(
    `insert into variables (organization_id, id, device_id, topic_property_path,
       topic_property_path_folded, type, name, name_folded, is_logging_enabled, created_at,
       updated_at)
     values ($1, $2, $3, 'some.path', 'some.path', $4, 'Some', 'some', $5, now(), now())
     returning number as "seriesId"`,
    [organizationId, id, deviceId, type, isLoggingEnabled],
  );
  if (!row) throw new Error('a Variable was not returned');
  return {
    seriesId: row.seriesId,
    id,
    organizationId,
    deviceId,
    type,
    isLoggingEnabled,
    path: 'some.path',
  };
}

export function reading(variable: VariableRef, at: number, value: Value): Reading {
  return { variable, at, value };
}

export const RAMP_START = 1_700_000_000_000;

/** Readings of 0, 1, 2 and so on, every 10 ms. */
export function ramp(variable: VariableRef, count: number, from = RAMP_START): Reading[] {
  return Array.from({ length: count }, (_, index) => reading(variable, from + index * 10, index));
}

export const ALL = { from: 0, to: 8_640_000_000_000_000 };

/** The first readings of a Variable, and how many there are. */
export async function pageOf(
  readings: Readings,
  variable: VariableRef,
  range: Range,
  take: number,
) {
  const history = await readings.openHistory([variable], range);
  const [page] = await history.raw(range, take);
  const items = (page?.parts ?? []).flatMap((columns) =>
    [...columns.times].map((timestamp, at) => ({ timestamp, value: valueAt(columns, at) })),
  );
  return { count: page?.count ?? 0, items, nextStartTime: page?.nextStartTime ?? null };
}

export async function countOf(readings: Readings, variable: VariableRef, range: Range = ALL) {
  return (await pageOf(readings, variable, range, 1)).count;
}

/** The number of rows of a table. */
export async function rows(storage: Storage, table: 'journal' | 'chunks' | 'latest_values') {
  const [row] = await storage.query<{ count: number }>(`select count(*) from ${table}`);
  return row?.count ?? 0;
}
