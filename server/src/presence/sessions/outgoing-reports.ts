import { PARTITION_COUNT, partitionOf } from '../../nodes/index.ts';
import type { LocalSessions } from './local-sessions.ts';
import type { ReportAnswer, ReportedDevice, SessionReport } from './report.ts';

/*
 * What this node has to report to the nodes that act for the Devices of its sessions.
 *
 * Invariant: a Device whose sessions differ from those that its owner knows is in a report under
 * way, or will be in one. A partition is reported in full to an owner that has no full report of it
 * yet; afterwards the Devices whose sessions have changed are. One report at a time is in flight to
 * a node, so that they arrive in order. When one fails, its outcome is unknown, and its partitions
 * are reported in full again.
 */

export interface OutgoingDeps {
  readonly epoch: number;
  readonly local: LocalSessions;
  readonly ownerAt: (partition: number) => string | null;
  readonly maxDevices?: number;
}

type ChangedDevice = Omit<ReportedDevice, 'sessions'>;

/** A report to a node, and the partitions that it is about. */
export interface OutgoingReport {
  readonly nodeId: string;
  readonly report: SessionReport;
  readonly partitions: readonly number[];
}

const MAX_DEVICES_PER_REPORT = 10_000;

export class OutgoingReports {
  readonly #deps: OutgoingDeps;
  readonly #maxDevices: number;
  /** By partition: the node that has a full report, or will have it with the one in flight. */
  readonly #informed: (string | null)[] = Array<null>(PARTITION_COUNT).fill(null);
  /** By partition: the Devices that have changed since. */
  readonly #changed: Map<string, ChangedDevice>[] = Array.from(
    { length: PARTITION_COUNT },
    () => new Map(),
  );
  readonly #inFlight = new Set<string>();
  #sequence = 0;

  constructor(deps: OutgoingDeps) {
    this.#deps = deps;
    this.#maxDevices = deps.maxDevices ?? MAX_DEVICES_PER_REPORT;
  }

  changed(device: ChangedDevice): void {
    this.#changed[partitionOf(device.deviceId)]?.set(device.deviceId, device);
  }

  /** The reports to send now, to nodes that none is in flight to. */
  take(): OutgoingReport[] {
    const builders = new Map<
      string,
      { full: number[]; devices: ReportedDevice[]; all: number[] }
    >();
    for (let partition = 0; partition < PARTITION_COUNT; partition += 1) {
      const owner = this.#deps.ownerAt(partition);
      if (owner === null || this.#inFlight.has(owner)) continue;
      const changed = this.#changed[partition] as Map<string, ChangedDevice>;
      const isFull = this.#informed[partition] !== owner;
      if (!isFull && changed.size === 0) continue;
      const builder = builders.get(owner) ?? { full: [], devices: [], all: [] };
      builders.set(owner, builder);
      if (builder.devices.length >= this.#maxDevices) continue;
      builder.all.push(partition);
      if (isFull) builder.full.push(partition);
      const { local } = this.#deps;
      if (isFull) for (const device of local.in(partition)) builder.devices.push(device);
      else for (const device of changed.values()) builder.devices.push(local.of(device));
      changed.clear();
      this.#informed[partition] = owner;
    }
    return [...builders].map(([nodeId, { full, devices, all }]) =>
      this.#begin(nodeId, { full, devices }, all),
    );
  }

  /** A report about nothing: its answer says what the node lacks. Null while one is in flight. */
  takeEmpty(nodeId: string): OutgoingReport | null {
    return this.#inFlight.has(nodeId) ? null : this.#begin(nodeId, { full: [], devices: [] }, []);
  }

  #begin(
    nodeId: string,
    content: Pick<SessionReport, 'full' | 'devices'>,
    partitions: readonly number[],
  ): OutgoingReport {
    this.#inFlight.add(nodeId);
    this.#sequence += 1;
    const report = { epoch: this.#deps.epoch, sequence: this.#sequence, ...content };
    return { nodeId, partitions, report };
  }

  answered({ nodeId }: OutgoingReport, { wanted }: ReportAnswer): void {
    this.#inFlight.delete(nodeId);
    this.#withdraw(nodeId, wanted);
  }

  failed({ nodeId, partitions }: OutgoingReport): void {
    this.#inFlight.delete(nodeId);
    this.#withdraw(nodeId, partitions);
  }

  /** The node has no full report of these partitions. */
  #withdraw(nodeId: string, partitions: readonly number[]): void {
    for (const partition of partitions)
      if (this.#informed[partition] === nodeId) this.#informed[partition] = null;
  }
}
