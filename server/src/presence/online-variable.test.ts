import { afterAll, beforeAll, expect, it } from 'vitest';
import { createStillClock } from '../../test/support/clock.ts';
import { startStorage } from '../../test/support/device-storage.ts';
import { SOLE_OWNER } from '../../test/support/sole-owner.ts';
import { createLog, isoDateTime } from '../runtime/index.ts';
import { createDeviceIndex } from './device-index.ts';
import { createOnlineVariable, type OnlineReading } from './online-variable.ts';
import { createPresence } from './presence.ts';

let rig: Awaited<ReturnType<typeof startStorage>>;

beforeAll(async () => {
  rig = await startStorage();
});

afterAll(() => rig.stop());

it('a Device that its network server has lost is offline after a restart, whatever its window', async () => {
  const clock = createStillClock();
  const { storage } = rig.counted();
  const seenAt = clock.now() - 60_000;
  const devices = await Promise.all([1, 2, 3].map(() => rig.newDevice({ paths: ['isOnline'] })));
  const [lost, unrecorded, back] = devices.map(({ id }) => id);
  await storage.query('update variables set is_built_in = true');
  const save = (id: string | undefined, isOnline: boolean, lostAt: number) =>
    storage.query(
      'update devices set is_online = $2, last_seen_at = $3, disconnected_at = $4 where id = $1',
      [id, isOnline, isoDateTime(seenAt), isoDateTime(lostAt)],
    );
  await save(lost, false, seenAt + 1);
  await save(unrecorded, true, seenAt + 1);
  await save(back, true, seenAt - 1);

  const deviceIndex = createDeviceIndex();
  const flips: OnlineReading[] = [];
  const deps = { deviceIndex, storage, clock, log: createLog('silent'), onlineMs: 300_000 };
  const presence = createPresence({
    ...deps,
    listener: { readingSeen: () => undefined, sessionChanged: () => undefined },
    ownership: SOLE_OWNER,
    sessions: { isConnected: () => false, isConnectedHere: () => false },
  });
  const onlineVariable = createOnlineVariable({
    ...{ ...deps, presence, ownership: SOLE_OWNER, announce: () => undefined },
    commit: async (readings) => void flips.push(...readings),
  });
  await onlineVariable.start();
  const isOnline = (id = '') => presence.of({ id, lastSeenAt: seenAt, isOnline: true }).isOnline;
  expect([lost, unrecorded, back].map(isOnline)).toEqual([false, false, true]);
  await onlineVariable.recorded();
  expect(flips.map(({ variable, value }) => [variable.deviceId, value])).toEqual([
    [unrecorded, false],
  ]);
  await onlineVariable.stop();
});
