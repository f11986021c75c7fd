import { PARTITION_COUNT, partitionOf } from '../../nodes/index.ts';
import type { ClientSession, ReportAnswer, ReportedDevice, SessionReport } from './report.ts';

/*
 * The sessions of the Devices that this node acts for, as each node has reported them.
 *
 * Invariant: for each start of a node, the sessions of a partition are those of its last full report
 * with the changes of the later ones. Without a full report there are none, and the node is asked
 * for one. When this node no longer acts for a partition, it has no sessions of it.
 *
 * A client identifier belongs to the session that was reported last. The older one is taken over: it
 * remains, so that a repeated report of it is not mistaken for a new session, until its node reports
 * its end.
 */

/** Sessions that have to be closed: the same clients have connected elsewhere. */
export interface TakenOver {
  readonly nodeId: string;
  readonly epoch: number;
  readonly numbers: readonly number[];
}

export interface RegistryDeps {
  /** Whether this node acts for the partition. */
  readonly owns: (partition: number) => boolean;
  /** The first session of a Device was reported, or the end of its last one, so long ago. */
  readonly onChanged: (device: ReportedDevice, agoMs: number) => void;
}

/** A start of a node, which reports its sessions. */
interface Reporter {
  readonly nodeId: string;
  readonly devices: Map<string, ReportedDevice>[];
  /** Partitions with a full report. */
  readonly complete: Set<number>;
  readonly takenOver: Set<number>;
  sequence: number;
  wasAlive: boolean;
  /** Since when the node is not among those that are alive; null while it is. */
  goneSince: number | null;
}

export class SessionRegistry {
  readonly #deps: RegistryDeps;
  /** By epoch: no two starts of nodes have the same. */
  readonly #reporters = new Map<number, Reporter>();

  constructor(deps: RegistryDeps) {
    this.#deps = deps;
  }

  isConnected(deviceId: string): boolean {
    for (const reporter of this.#reporters.values())
      if (devicesIn(reporter, partitionOf(deviceId)).has(deviceId)) return true;
    return false;
  }

  apply(nodeId: string, report: SessionReport): ReportAnswer {
    const reporter = this.#reporterOf(nodeId, report.epoch);
    if (report.sequence <= reporter.sequence) return { wanted: [] };
    reporter.sequence = report.sequence;
    const { owns } = this.#deps;
    const wanted = new Set<number>();
    const listed = new Set(report.devices.map(({ deviceId }) => deviceId));
    for (const partition of report.full) {
      if (owns(partition)) this.#begin(reporter, partition, listed);
      else wanted.add(partition);
    }
    for (const device of report.devices) {
      const partition = partitionOf(device.deviceId);
      if (!owns(partition)) wanted.add(partition);
      else if (reporter.complete.has(partition)) this.#set(reporter, device);
    }
    for (let partition = 0; partition < PARTITION_COUNT; partition += 1)
      if (owns(partition) && !reporter.complete.has(partition)) wanted.add(partition);
    return { wanted: [...wanted] };
  }

  /** This node no longer acts for these partitions. */
  drop(partitions: ReadonlySet<number>): void {
    for (const reporter of this.#reporters.values()) {
      for (const partition of partitions) {
        const devices = devicesIn(reporter, partition);
        for (const { sessions } of devices.values())
          for (const { number } of sessions) reporter.takenOver.delete(number);
        devices.clear();
        reporter.complete.delete(partition);
      }
    }
  }

  /**
   * Closes the sessions of nodes that have been gone for the grace time: until then their Devices
   * may connect to another node. `alive` are the epochs of the nodes that are alive.
   */
  closeGone(alive: ReadonlySet<number>, now: number, graceMs: number): void {
    for (const [epoch, reporter] of this.#reporters) {
      if (alive.has(epoch)) {
        reporter.wasAlive = true;
        reporter.goneSince = null;
        continue;
      }
      reporter.goneSince ??= now;
      const goneMs = now - reporter.goneSince;
      if (goneMs < graceMs) continue;
      this.#reporters.delete(epoch);
      for (const devices of reporter.devices) {
        for (const device of devices.values())
          if (!this.isConnected(device.deviceId)) this.#deps.onChanged(device, goneMs);
      }
    }
  }

  /** Sessions that were taken over and not reported as closed yet. */
  takenOver(): TakenOver[] {
    const all: TakenOver[] = [];
    for (const [epoch, { nodeId, takenOver, goneSince }] of this.#reporters)
      if (takenOver.size > 0 && goneSince === null)
        all.push({ nodeId, epoch, numbers: [...takenOver] });
    return all;
  }

  #reporterOf(nodeId: string, epoch: number): Reporter {
    const known = this.#reporters.get(epoch);
    if (known) return known;
    const reporter: Reporter = {
      nodeId,
      devices: Array.from({ length: PARTITION_COUNT }, () => new Map()),
      complete: new Set(),
      takenOver: new Set(),
      sequence: 0,
      wasAlive: false,
      goneSince: null,
    };
    this.#reporters.set(epoch, reporter);
    return reporter;
  }

  /** Devices that the full report of the partition does not list have no sessions any more. */
  #begin(reporter: Reporter, partition: number, listed: ReadonlySet<string>): void {
    reporter.complete.add(partition);
    for (const device of [...devicesIn(reporter, partition).values()])
      if (!listed.has(device.deviceId)) this.#set(reporter, { ...device, sessions: [] });
  }

  #set(reporter: Reporter, device: ReportedDevice): void {
    const { deviceId, sessions } = device;
    const devices = devicesIn(reporter, partitionOf(deviceId));
    const before = devices.get(deviceId)?.sessions ?? [];
    const wasConnected = this.isConnected(deviceId);
    for (const { number } of before)
      if (!sessions.some((each) => each.number === number)) reporter.takenOver.delete(number);
    if (sessions.length > 0) devices.set(deviceId, device);
    else devices.delete(deviceId);
    const opened = sessions.filter(({ number }) => !before.some((each) => each.number === number));
    if (opened.length > 0) this.#takeOver(reporter, deviceId, opened);
    if (wasConnected !== this.isConnected(deviceId)) this.#deps.onChanged(device, 0);
  }

  /** Other sessions of these clients, and all of the Device at nodes that are gone, are replaced. */
  #takeOver(by: Reporter, deviceId: string, opened: readonly ClientSession[]): void {
    const partition = partitionOf(deviceId);
    const clientIds = new Set(opened.map(({ clientId }) => clientId));
    for (const other of this.#reporters.values()) {
      if (other === by) continue;
      const known = devicesIn(other, partition).get(deviceId);
      if (!known) continue;
      if (other.wasAlive && other.goneSince !== null) {
        devicesIn(other, partition).delete(deviceId);
        continue;
      }
      for (const { clientId, number } of known.sessions)
        if (clientIds.has(clientId)) other.takenOver.add(number);
    }
  }
}

function devicesIn(reporter: Reporter, partition: number): Map<string, ReportedDevice> {
  return reporter.devices[partition] as Map<string, ReportedDevice>;
}
