import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { createStillClock } from '../../test/support/clock.ts';
import { startStorage } from '../../test/support/device-storage.ts';
import { SOLE_OWNER } from '../../test/support/sole-owner.ts';
import { findDevice } from '../devices/store.ts';
import type { Ownership, OwnershipChange } from '../nodes/index.ts';
import { createLog, Failure } from '../runtime/index.ts';
import { createDeviceIndex } from './device-index.ts';
import { createPresence } from './presence.ts';

let rig: Awaited<ReturnType<typeof startStorage>>;

beforeAll(async () => {
  rig = await startStorage();
});

afterAll(() => rig.stop());

const ONLINE_MS = 1_000_000;
const DEVICE = '018f0000-0000-7000-8000-00000000000d';

const deviceIndex = createDeviceIndex();
const indexed = (deviceId: string) => ({
  index: deviceIndex.indexOf(deviceId),
  deviceId,
  organizationId: '',
});
const listener = { readingSeen: () => undefined, sessionChanged: () => undefined };

function start(ownership = SOLE_OWNER) {
  const clock = createStillClock();
  const { storage, queries } = rig.counted();
  const sessions = connections();
  const presence = createPresence({
    deviceIndex,
    storage,
    clock,
    log: createLog('silent'),
    onlineMs: ONLINE_MS,
    listener,
    ownership,
    sessions,
  });
  /** A Device is connected from now on, or no longer. */
  const connect = (deviceId: string, isConnected: boolean) => {
    if (isConnected) sessions.connected.add(deviceId);
    else sessions.connected.delete(deviceId);
    presence.sessionChanged(indexed(deviceId), clock.now());
  };
  return { presence, clock, storage, queries, connect, sessions };
}

function connections() {
  const connected = new Set<string>();
  const here = new Set<string>();
  return {
    connected,
    here,
    isConnected: (id: string) => connected.has(id),
    isConnectedHere: (id: string) => here.has(id),
  };
}

/** The ownership of a node that gets all Devices, and loses them. */
function changingOwner() {
  let isOwner = false;
  let notify: (change: OwnershipChange) => void = () => undefined;
  const all = new Set(Array.from({ length: 256 }, (_, partition) => partition));
  const none = new Set<number>();
  const ownership: Ownership = {
    ...SOLE_OWNER,
    owns: () => isOwner,
    onChange(listener) {
      notify = listener;
    },
  };
  return {
    ownership,
    gain() {
      isOwner = true;
      notify({ gained: all, taken: all, lost: none });
    },
    lose() {
      isOwner = false;
      notify({ gained: none, taken: none, lost: all });
    },
  };
}

describe('the presence of a Device', () => {
  it('lasts as long as it is connected when no reading is seen', () => {
    const { presence, clock, connect } = start();
    const device = { id: 'device', lastSeenAt: null, isOnline: false };
    expect(presence.of(device)).toEqual({ isOnline: false, lastSeenAt: null });
    connect('device', true);
    clock.advance(2 * ONLINE_MS);
    expect(presence.of(device).isOnline).toBe(true);
    connect('device', false);
    const closedAt = clock.now();
    clock.advance(1);
    expect(presence.of(device)).toEqual({ isOnline: false, lastSeenAt: closedAt });
  });

  it('lasts for the online window after a reading, also when its session has closed', () => {
    const { presence, clock, connect } = start();
    const device = { id: 'reporting', lastSeenAt: null, isOnline: false };
    connect('reporting', true);
    presence.readingSeen(indexed('reporting'), clock.now());
    clock.advance(ONLINE_MS - 1);
    connect('reporting', false);
    expect(presence.of(device).isOnline).toBe(true);
    clock.advance(1);
    expect(presence.of(device).isOnline).toBe(false);
  });

  it('is the stored one at a node that does not act for it, or a session there', () => {
    const { ownership } = changingOwner();
    const { presence, clock, sessions } = start(ownership);
    const stored = { id: DEVICE, lastSeenAt: clock.now() };
    expect(presence.of({ ...stored, isOnline: false }).isOnline).toBe(false);
    expect(presence.of({ ...stored, isOnline: true }).isOnline).toBe(true);
    sessions.here.add(DEVICE);
    expect(presence.of({ ...stored, isOnline: false }).isOnline).toBe(true);
  });

  it('lasts for 30 seconds after its node came to act for it, unless its session closes', () => {
    const owner = changingOwner();
    const { presence, clock, connect } = start(owner.ownership);
    const device = { id: DEVICE, lastSeenAt: null, isOnline: true };
    clock.advance(60_000);
    owner.gain();
    clock.advance(29_999);
    expect(presence.of(device).isOnline).toBe(true);
    clock.advance(1);
    expect(presence.of(device).isOnline).toBe(false);
    owner.lose();
    owner.gain();
    expect(presence.of(device).isOnline).toBe(true);
    connect(DEVICE, true);
    connect(DEVICE, false);
    expect(presence.of(device).isOnline).toBe(false);
  });

  it('ends when its network server has lost it, until a later reading', () => {
    const { presence, clock } = start();
    const device = { id: 'gateway', lastSeenAt: clock.now(), isOnline: true };
    const lost = { disconnectedAt: clock.now(), heldUntil: null };
    presence.connectionRead(deviceIndex.indexOf('gateway'), lost);
    expect(presence.of(device)).toEqual({ isOnline: false, lastSeenAt: device.lastSeenAt });
    clock.advance(1);
    presence.readingSeen(indexed('gateway'), clock.now());
    expect(presence.of(device).isOnline).toBe(true);
  });

  it('is held beyond the online window while its network server cannot be asked', () => {
    const { presence, clock } = start();
    const device = { id: 'held', lastSeenAt: clock.now(), isOnline: true };
    const heldUntil = clock.now() + ONLINE_MS + 10;
    presence.connectionRead(deviceIndex.indexOf('held'), { disconnectedAt: null, heldUntil });
    clock.advance(ONLINE_MS + 9);
    expect(presence.of(device).isOnline).toBe(true);
    clock.advance(1);
    expect(presence.of(device).isOnline).toBe(false);
  });

  it('follows from the newest of the stored and the seen reading times', () => {
    const { presence, clock } = start();
    const now = clock.now();
    const device = { id: 'device', isOnline: false };
    presence.readingSeen(indexed('device'), now - 500);
    presence.readingSeen(indexed('device'), now - 900);
    expect(presence.of({ ...device, lastSeenAt: now - 800 }).lastSeenAt).toBe(now - 500);
    expect(presence.of({ ...device, lastSeenAt: now - 100 }).lastSeenAt).toBe(now - 100);
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
      ownership: SOLE_OWNER,
      sessions: connections(),
    });
    const now = clock.now();
    presence.readingSeen(indexed(id), now);
    await presence.flush();
    expect((await findDevice(storage, organizationId, id))?.lastSeenAt).toBeNull();
    expect(presence.of({ id, lastSeenAt: null, isOnline: false }).lastSeenAt).toBe(now);
    isUnavailable = false;
    await presence.flush();
    expect((await findDevice(storage, organizationId, id))?.lastSeenAt).toBe(now);
  });
});
