import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createTestClock } from '../../test/support/clock.ts';
import { startStorage } from '../../test/support/entries.ts';
import { findDevice } from '../devices/store.ts';
import { createLog, Failure } from '../runtime/index.ts';
import { createPlaces } from './device-index.ts';
import { createPresence } from './presence.ts';

let ground: Awaited<ReturnType<typeof startStorage>>;

beforeAll(async () => {
  ground = await startStorage();
});

afterAll(() => ground.stop());

const ONLINE_MS = 1_000_000;

const places = createPlaces();
const placed = (deviceId: string) => ({ place: places.of(deviceId), deviceId, organizationId: '' });

function board() {
  const clock = createTestClock();
  const { storage, queries } = ground.counted();
  const presence = createPresence({
    places,
    storage,
    clock,
    log: createLog('silent'),
    onlineMs: ONLINE_MS,
    onMoved: () => undefined,
    onSession: () => undefined,
  });
  return { presence, clock, storage, queries };
}

describe('the presence of a Device', () => {
  it('lasts as long as any of its sessions, and not longer when no reading came', () => {
    const { presence, clock } = board();
    const device = { id: 'device', lastSeenAt: null };
    expect(presence.of(device)).toEqual({ isOnline: false, lastSeenAt: null });
    presence.sessionOpened(placed('device'));
    presence.sessionOpened(placed('device'));
    clock.advance(2 * ONLINE_MS);
    presence.sessionClosed(placed('device'));
    clock.advance(2 * ONLINE_MS);
    expect(presence.of(device).isOnline).toBe(true);
    presence.sessionClosed(placed('device'));
    const leftAt = clock.now();
    clock.advance(1);
    expect(presence.of(device)).toEqual({ isOnline: false, lastSeenAt: leftAt });
  });

  it('lasts for a while after a reading, also when its session has ended', () => {
    const { presence, clock } = board();
    const device = { id: 'reporting', lastSeenAt: null };
    presence.sessionOpened(placed('reporting'));
    presence.seen(placed('reporting'), clock.now());
    clock.advance(ONLINE_MS - 1);
    presence.sessionClosed(placed('reporting'));
    expect(presence.of(device).isOnline).toBe(true);
    clock.advance(1);
    expect(presence.of(device).isOnline).toBe(false);
  });

  it('is told by the newest of what is stored and what came in', () => {
    const { presence, clock } = board();
    const now = clock.now();
    presence.seen(placed('device'), now - 500);
    presence.seen(placed('device'), now - 900);
    expect(presence.of({ id: 'device', lastSeenAt: now - 800 }).lastSeenAt).toBe(now - 500);
    expect(presence.of({ id: 'device', lastSeenAt: now - 100 }).lastSeenAt).toBe(now - 100);
  });

  it('is written behind, many in one statement, and never moves back', async () => {
    const { presence, clock, storage, queries } = board();
    const devices = await Promise.all([1, 2, 3].map(() => ground.newDevice({ paths: [] })));
    const now = clock.now();
    for (const { id } of devices) presence.seen(placed(id), now);
    await presence.flush();
    expect(queries()).toBe(1);
    await presence.flush();
    expect(queries()).toBe(1);
    for (const { id } of devices) presence.seen(placed(id), now - 1);
    await presence.flush();
    for (const { id, organizationId } of devices) {
      expect((await findDevice(storage, organizationId, id))?.lastSeenAt).toBe(now);
    }
  });

  it('is written a few at a time where that is asked for, those first that wait longest', async () => {
    const { presence, clock, storage } = board();
    const devices = await Promise.all([1, 2, 3, 4].map(() => ground.newDevice({ paths: [] })));
    const now = clock.now();
    for (const { id } of devices) presence.seen(placed(id), now);
    const written = async () => {
      const rows = devices.map(({ id, organizationId }) => findDevice(storage, organizationId, id));
      return (await Promise.all(rows)).map((row) => row?.lastSeenAt === now);
    };
    await presence.flush(2);
    expect(await written()).toEqual([true, true, false, false]);
    // One that asks for all is not content with a part that is under way.
    await Promise.all([presence.flush(1), presence.flush()]);
    expect(await written()).toEqual([true, true, true, true]);
  });

  it('is written later when storage is away', async () => {
    const clock = createTestClock();
    const { id, organizationId } = await ground.newDevice({ paths: [] });
    const { storage } = ground.counted();
    let isUnavailable = true;
    const query: typeof storage.query = async (sql, params) => {
      if (isUnavailable)
        throw new Failure('STORAGE_UNAVAILABLE', 'Storage does not answer at the moment.');
      return storage.query(sql, params);
    };
    const presence = createPresence({
      places,
      storage: { ...storage, query, background: { ...storage, query } },
      clock,
      log: createLog('silent'),
      onlineMs: ONLINE_MS,
      onMoved: () => undefined,
      onSession: () => undefined,
    });
    const now = clock.now();
    presence.seen(placed(id), now);
    await presence.flush();
    expect((await findDevice(storage, organizationId, id))?.lastSeenAt).toBeNull();
    expect(presence.of({ id, lastSeenAt: null }).lastSeenAt).toBe(now);
    isUnavailable = false;
    await presence.flush();
    expect((await findDevice(storage, organizationId, id))?.lastSeenAt).toBe(now);
  });
});
