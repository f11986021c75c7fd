import { describe, expect, it } from 'vitest';
import type { ReportedDevice } from './report.ts';
import { SessionRegistry } from './session-registry.ts';

const ORGANIZATION = 'organization';
const DEVICE = '018f0000-0000-7000-8000-000000000001';
const GRACE_MS = 30_000;

function rig() {
  const changes: boolean[] = [];
  const registry: SessionRegistry = new SessionRegistry({
    owns: () => true,
    onChanged: ({ deviceId }) => changes.push(registry.isConnected(deviceId)),
  });
  const full = Array.from({ length: 256 }, (_, partition) => partition);
  let sequence = 0;
  const report = (epoch: number, sessions: ReportedDevice['sessions'], isFull = true) => {
    sequence += 1;
    const devices = [{ deviceId: DEVICE, organizationId: ORGANIZATION, sessions }];
    registry.apply(`node ${epoch}`, { epoch, sequence, full: isFull ? full : [], devices });
  };
  return { registry, changes, report };
}

const session = (number: number, clientId = 'client') => ({ clientId, number });

describe('sessions of a node that is gone', () => {
  it('are closed after the grace time and not before', () => {
    const { registry, changes, report } = rig();
    report(1, [session(1)]);
    registry.closeGone(new Set([1]), 0, GRACE_MS);
    registry.closeGone(new Set(), 1_000, GRACE_MS);
    registry.closeGone(new Set(), 30_999, GRACE_MS);
    expect(changes).toEqual([true]);
    registry.closeGone(new Set(), 31_000, GRACE_MS);
    expect(changes).toEqual([true, false]);
  });

  it('remain when the node was only missing for a while', () => {
    const { registry, changes, report } = rig();
    report(1, [session(1)]);
    registry.closeGone(new Set(), 0, GRACE_MS);
    registry.closeGone(new Set([1]), 20_000, GRACE_MS);
    registry.closeGone(new Set(), 40_000, GRACE_MS);
    registry.closeGone(new Set(), 60_000, GRACE_MS);
    expect(changes).toEqual([true]);
  });

  it('do not count any more once the Device has connected to another node', () => {
    const { registry, changes, report } = rig();
    report(1, [session(1)]);
    registry.closeGone(new Set([1, 2]), 0, GRACE_MS);
    registry.closeGone(new Set([2]), 1_000, GRACE_MS);
    report(2, [session(1, 'another client')]);
    expect(changes).toEqual([true]);
    report(2, [], false);
    expect(changes).toEqual([true, false]);
  });
});

describe('a client that connects to another node', () => {
  it('takes over from its older session, also when that one is reported once more', () => {
    const { registry, report } = rig();
    report(1, [session(7)]);
    report(2, [session(1)]);
    const older = [{ nodeId: 'node 1', epoch: 1, numbers: [7] }];
    expect(registry.takenOver()).toEqual(older);
    report(1, [session(7)]);
    expect(registry.takenOver()).toEqual(older);
    report(1, [], false);
    expect(registry.takenOver()).toEqual([]);
  });

  it('does not take over from other clients of the Device', () => {
    const { registry, report } = rig();
    report(1, [session(7)]);
    report(2, [session(1, 'another client')]);
    expect(registry.takenOver()).toEqual([]);
  });
});
