import { expect, it } from 'vitest';
import { saveAdopted } from '../../src/presence/index.ts';
import { createLog, systemClock } from '../../src/runtime/index.ts';
import type { Storage } from '../../src/storage/index.ts';
import {
  countOf,
  kill,
  openHistory,
  reading,
  readingsOn,
  storeVariable,
} from '../support/readings.ts';
import { NO_PEERS, SOLE_OWNER } from '../support/sole-owner.ts';

const NOW = Date.now();
const log = createLog('silent');

async function lastSeen(storage: Storage, deviceId: string): Promise<number | null> {
  const [row] = await storage.query<{ at: number | null }>(
    'select last_seen_at as at from devices where id = $1',
    [deviceId],
  );
  return row?.at ?? null;
}

it('the readings of a node that was killed show when Devices were last seen', async () => {
  const storage = await openHistory();
  const [silent, ahead, later] = [
    await storeVariable(storage, 'NUMBER'),
    await storeVariable(storage, 'NUMBER'),
    await storeVariable(storage, 'NUMBER'),
  ];
  const online = await storeVariable(storage, 'BOOLEAN');
  await storage.query('update variables set is_built_in = true where number = $1', [
    online.seriesId,
  ]);
  await storage.query('update devices set last_seen_at = $2 where id = $1', [
    later.deviceId,
    new Date(NOW),
  ]);
  const killed = readingsOn(storage);
  await killed.start();
  await killed.commit([
    reading(silent, NOW - 9_000, 1),
    reading(silent, NOW - 5_000, 2),
    reading(ahead, NOW + 300_000, 1),
    reading(later, NOW - 5_000, 1),
    reading(online, NOW - 5_000, true),
  ]);
  await kill(killed);
  const clock = { ...systemClock, now: () => NOW };
  const successor = readingsOn(storage, {}, systemClock, () => true, {
    ownership: { ...SOLE_OWNER, isSoleOwner: false },
    peers: NO_PEERS,
    onAdopted: (newest) => saveAdopted({ storage, clock, log }, newest),
  });
  await successor.start();
  expect(await countOf(successor, silent)).toBe(2);
  expect(await lastSeen(storage, silent.deviceId)).toBe(NOW - 5_000);
  expect(await lastSeen(storage, ahead.deviceId)).toBe(NOW);
  expect(await lastSeen(storage, later.deviceId)).toBe(NOW);
  expect(await lastSeen(storage, online.deviceId)).toBeNull();
  await successor.stop();
});
