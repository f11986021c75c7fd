import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStillClock } from '../../test/support/clock.ts';
import { startStorage } from '../../test/support/device-storage.ts';
import { findDevice } from '../devices/store.ts';
import { createLog, Failure } from '../runtime/index.ts';
import { createDeviceIndex } from './device-index.ts';
import { createPresence } from './presence.ts';

let rig: Awaited<ReturnType<typeof startStorage>>;

beforeAll(async () => {
  rig = await startStorage();
});

afterAll(() => rig.stop());

const ONLINE_MS = 1_000_000;

const deviceIndex = createDeviceIndex();
const indexed = (deviceId: string) => ({
  index: deviceIndex.indexOf(deviceId),
  deviceId,
  organizationId: '',
});
const listener = { readingSeen: () => undefined, sessionChanged: () => undefined };

function start() {
  const clock = createStillClock();
  const { storage, queries } = rig.counted();
  const presence = createPresence({
    deviceIndex,
    storage,
    clock,
    log: createLog('silent'),
    onlineMs: ONLINE_MS,
    listener,
  });
  return { presence, clock, storage, queries };
}

describe('the presence of a Device', () => {
  it('lasts as long as any of its sessions when no reading is seen', () => {
    const { presence, clock } = start();
    const device = { id: 'device', lastSeenAt: null };
    expect(presence.of(device)).toEqual({ isOnline: false, lastSeenAt: null });
    presence.sessionOpened(indexed('device'));
    presence.sessionOpened(indexed('device'));
    clock.advance(2 * ONLINE_MS);
    presence.sessionClosed(indexed('device'));
    clock.advance(2 * ONLINE_MS);
    expect(presence.of(device).isOnline).toBe(true);
    presence.sessionClosed(indexed('device'));
    const closedAt = clock.now();
    clock.advance(1);
    expect(presence.of(device)).toEqual({ isOnline: false, lastSeenAt: closedAt });
  });

  it('lasts for the online window after a reading, also when its session has closed', () => {
    const { presence, clock } = start();
    const device = { id: 'reporting', lastSeenAt: null };
    presence.sessionOpened(indexed('reporting'));
    presence.readingSeen(indexed('reporting'), clock.now());
    clock.advance(ONLINE_MS - 1);
    presence.sessionClosed(indexed('reporting'));
    expect(presence.of(device).isOnline).toBe(true);
    clock.advance(1);
    expect(presence.of(device).isOnline).toBe(false);
  });

  it('follows from the newest of the stored and the seen reading times', () => {
    const { presence, clock } = start();
    const now = clock.now();
    presence.readingSeen(indexed('device'), now - 500);
    presence.readingSeen(indexed('device'), now - 900);
    expect(presence.of({ id: 'device', lastSeenAt: now - 800 }).lastSeenAt).toBe(now - 500);
    expect(presence.of({ id: 'device', lastSeenAt: now - 100 }).lastSeenAt).toBe(now - 100);
  });

  it('is written behind, many Devices in one statement, and never moves back', async () => {
    const { presence, clock, storage, queries } = start();
    const devices = await Promise.all([1, 2, 3].map(() => rig.newDevice({ paths: [] })));
    const now = clock.now();
    for (const { id } of devices) presence.readingSeen(indexed(id), now);
    await presence.flush();
    expect(queries()).toBe(1);
    await presence.flush();
    expect(queries()).toBe(1);
    for (const { id } of devices) presence.readingSeen(indexed(id), now - 1);
    await presence.flush();
    for (const { id, organizationId } of devices) {
      expect((await findDevice(storage, organizationId, id))?.lastSeenAt).toBe(now);
    }
  });

  it('is written for a limited number of Devices on request, those queued longest first', async () => {
    const { presence, clock, storage } = start();
    const devices = await Promise.all([1, 2, 3, 4].map(() => rig.newDevice({ paths: [] })));
    const now = clock.now();
    for (const { id } of devices) presence.readingSeen(indexed(id), now);
    const written = async () => {
      const rows = devices.map(({ id, organizationId }) => findDevice(storage, organizationId, id));
      return (await Promise.all(rows)).map((row) => row?.lastSeenAt === now);
    };
    await presence.flush(2);
    expect(await written()).toEqual([true, true, false, false]);
    // A flush of everything does not share a limited flush in progress.
    await Promise.all([presence.flush(1), presence.flush()]);
    expect(await written()).toEqual([true, true, true, true]);
  });

  it('is written later when storage is unavailable', async () => {
    const clock = createStillClock();
    const { id, organizationId } = await rig.newDevice({ paths: [] });
    const { storage } = rig.counted();
    let isUnavailable = true;
    const query: typeof storage.query = async (sql, params) => {
      if (isUnavailable)
        throw new Failure('STORAGE_UNAVAILABLE', 'Storage does not answer at the moment.');
      return storage.query(sql, params);
    };
    const presence = createPresence({
      deviceIndex,
      storage: { ...storage, query, background: { ...storage, query } },
      clock,
      log: createLog('silent'),
      onlineMs: ONLINE_MS,
      listener,
    });
    const now = clock.now();
    presence.readingSeen(indexed(id), now);
    await presence.flush();
    expect((await findDevice(storage, organizationId, id))?.lastSeenAt).toBeNull();
    expect(presence.of({ id, lastSeenAt: null }).lastSeenAt).toBe(now);
    isUnavailable = false;
    await presence.flush();
    expect((await findDevice(storage, organizationId, id))?.lastSeenAt).toBe(now);
  });
});
