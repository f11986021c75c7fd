import { setImmediate as nextTurn } from 'node:timers/promises';
import { afterAll, beforeAll, expect, it, vi } from 'vitest';
import {
  createDeviceIndex,
  createOnlineVariable,
  createPresence,
} from '../../src/presence/index.ts';
import { createLog } from '../../src/runtime/index.ts';
import { createStillClock } from '../support/clock.ts';
import { openHistory, storeVariable } from '../support/readings.ts';
import { SOLE_OWNER } from '../support/sole-owner.ts';

const ONLINE_MS = 60_000;
const CHECK_INTERVAL_MS = 1_000;

// Presence is checked when a test says so.
beforeAll(() => void vi.useFakeTimers({ toFake: ['setInterval', 'clearInterval'] }));
afterAll(() => void vi.useRealTimers());

async function start() {
  const storage = await openHistory();
  const { deviceId, organizationId } = await storeVariable(storage, 'NUMBER');
  await storage.query(
    `insert into variables (organization_id, id, device_id, topic_property_path,
       topic_property_path_folded, type, name, name_folded, is_logging_enabled, is_built_in,
       created_at, updated_at)
     select $1, gen_random_uuid(), $2, 'isOnline', 'isonline', 'BOOLEAN', 'Online', 'online', true,
       true, now(), now()
     where not exists (select 1 from variables where device_id = $2 and is_built_in)`,
    [organizationId, deviceId],
  );
  const clock = createStillClock();
  const reports: unknown[] = [];
  /** Starts a server that has the state of the Device from storage. */
  const serve = async (meanwhile: () => void = () => {}) => {
    const deviceIndex = createDeviceIndex();
    const device = { index: deviceIndex.indexOf(deviceId), deviceId, organizationId };
    const deps = { deviceIndex, storage, clock, log: createLog('silent') };
    let isConnected = false;
    const presence = createPresence({
      ...deps,
      ownership: SOLE_OWNER,
      sessions: { isConnected: () => isConnected, isConnectedHere: () => isConnected },
      onlineMs: ONLINE_MS,
      listener: {
        readingSeen: (device, at) => online.readingSeen(device, at),
        sessionChanged: (device, at) => online.sessionChanged(device, at),
      },
    });
    const online = createOnlineVariable({
      ...deps,
      presence,
      ownership: SOLE_OWNER,
      onlineMs: ONLINE_MS,
      async commit(readings, { alongside }) {
        meanwhile();
        if (alongside) await storage.atomically(alongside);
        reports.push(...readings.map(({ value }) => value));
      },
      announce: () => {},
    });
    await online.start();
    const setConnected = (value: boolean) => {
      isConnected = value;
      presence.sessionChanged(device, clock.now());
    };
    /** Has presence checked once; resolves when what was found is reported. */
    const check = async () => {
      vi.advanceTimersByTime(CHECK_INTERVAL_MS);
      await online.settled();
      // The next check is skipped while this one has not ended.
      await nextTurn();
    };
    return { presence, online, device, setConnected, check };
  };
  return { clock, reports, serve };
}

it('a Device whose reading is seen while it is reported offline is reported online again', async () => {
  const { clock, reports, serve } = await start();
  let meanwhile = () => {};
  const { presence, online, device, check } = await serve(() => {
    const now = meanwhile;
    meanwhile = () => {};
    now();
  });
  const see = () => presence.readingSeen(device, clock.now());
  see();
  await check();
  expect(reports).toEqual([true]);
  meanwhile = see;
  clock.advance(ONLINE_MS);
  await check();
  expect(reports).toEqual([true, false]);
  await check();
  expect(reports).toEqual([true, false, true]);
  await online.stop();
});

it('a session that opens and closes is reported online and then offline at once', async () => {
  const { reports, serve } = await start();
  const { online, setConnected, check } = await serve();
  setConnected(true);
  await check();
  expect(reports).toEqual([true]);
  setConnected(false);
  await check();
  expect(reports).toEqual([true, false]);
  await online.stop();
});

it('a restarted server gives sessions time to reconnect before it reports their Devices offline', async () => {
  const { clock, reports, serve } = await start();
  const first = await serve();
  first.setConnected(true);
  await first.check();
  expect(reports).toEqual([true]);
  await first.online.stop();
  clock.advance(10 * ONLINE_MS);
  const second = await serve();
  clock.advance(25_000);
  await second.check();
  second.setConnected(true);
  clock.advance(10_000);
  await second.check();
  expect(reports).toEqual([true]);
  await second.online.stop();
  const third = await serve();
  clock.advance(30_000);
  await third.check();
  expect(reports).toEqual([true, false]);
  await third.online.stop();
});
