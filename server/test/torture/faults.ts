import { setTimeout as sleep } from 'node:timers/promises';
import type { BurstStation } from './burst.ts';
import type { Disk } from './disk.ts';
import type { ServerHarness } from './harness.ts';
import { holdHalfOpen, sendSlowly } from './hostile-clients.ts';
import type { Overload } from './overload.ts';
import type { FaultKind, PlannedFault } from './plan.ts';
import type { Receivers } from './receivers.ts';
import type { StorageControl } from './storage-control.ts';

export interface FaultDeps {
  readonly harness: ServerHarness;
  readonly storage: StorageControl;
  readonly disk: Disk;
  readonly receivers: Receivers;
  readonly burst: BurstStation;
  readonly overload: Overload;
}

/** The server runs, and its storage does not serve it. */
export const STORAGE_FAULTS: readonly FaultKind[] = [
  'kill storage',
  'halt storage',
  'storage unreachable',
  'storage read-only',
  'disk full',
];

type Fault = (deps: FaultDeps, planned: PlannedFault) => Promise<void>;

/** While it lasts the server is down, or its storage unavailable. */
function outage(fault: Fault): Fault {
  return async (deps, planned) => {
    const end = deps.harness.timeline.beginOutage();
    await fault(deps, planned).finally(end);
  };
}

async function setClock({ harness }: FaultDeps, offsetMs: number): Promise<void> {
  const isSet = harness.timeline.beginStep(offsetMs);
  await harness.service.setClock(offsetMs);
  isSet();
}

const stepClock: Fault = async (deps, { stepMs, durationMs }) => {
  await setClock(deps, stepMs);
  await sleep(durationMs);
  await setClock(deps, 0);
};

export const FAULTS: Readonly<Record<FaultKind, Fault>> = {
  'kill server': outage(async ({ harness }, { durationMs }) => {
    await harness.service.kill();
    await sleep(durationMs);
    await harness.service.start();
  }),
  'kill storage': outage(async ({ storage }, { durationMs }) => {
    storage.kill();
    await sleep(durationMs);
  }),
  'kill both': outage(async ({ harness, storage }, { durationMs }) => {
    await Promise.all([harness.service.kill(), storage.kill()]);
    await sleep(durationMs);
    await harness.service.start();
  }),
  'halt server': outage(async ({ harness }, { durationMs }) => {
    harness.service.signal('SIGSTOP');
    await sleep(durationMs);
    harness.service.signal('SIGCONT');
  }),
  'halt storage': outage(async ({ storage }, { durationMs }) => {
    const pids = storage.halt();
    await sleep(durationMs);
    storage.resume(pids);
  }),
  'storage unreachable': outage(async ({ storage }, { durationMs }) => {
    await storage.disconnect();
    await sleep(durationMs);
    storage.reconnect();
  }),
  'storage read-only': outage(async ({ storage }, { durationMs }) => {
    await storage.refuseWrites();
    await sleep(durationMs);
    await storage.allowWrites();
  }),
  'disk full': outage(async ({ disk }, { durationMs }) => {
    disk.fill();
    await sleep(durationMs);
    disk.free();
  }),
  'clock forward': stepClock,
  'clock back': stepClock,
  async 'cut sockets'({ harness }, { durationMs }) {
    const end = Date.now() + durationMs;
    while (Date.now() < end) {
      harness.mqtt.cut(harness.random);
      harness.http.cut(harness.random);
      await sleep(500);
    }
    harness.mqtt.stopCutting();
    harness.http.stopCutting();
  },
  async 'silent network'({ harness }, { durationMs }) {
    const end = harness.timeline.beginSilence();
    const ends = [harness.mqtt.silence(), harness.http.silence(), end];
    await sleep(durationMs);
    for (const each of ends) each();
  },
  async overload({ overload }, { durationMs }) {
    await overload.run(durationMs);
  },
  async 'half-open clients'({ harness }, { durationMs }) {
    await holdHalfOpen(harness, durationMs);
  },
  async 'slow clients'({ harness }, { durationMs }) {
    await sendSlowly(harness, durationMs);
  },
  async 'slow receivers'({ receivers }, { durationMs }) {
    await receivers.slowDown(durationMs);
  },
  async 'alarm burst'({ burst }) {
    await burst.send(true);
    await burst.send(false);
  },
};
