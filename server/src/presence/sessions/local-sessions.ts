import { PARTITION_COUNT, partitionOf } from '../../nodes/index.ts';
import type { ClientSession, ReportedDevice } from './report.ts';

/** A session that has opened at this node. */
export interface NewSession {
  readonly deviceId: string;
  readonly organizationId: string;
  readonly clientId: string;
  /** Closes it, because the same client has connected elsewhere. */
  readonly takeOver: () => void;
}

/** The MQTT sessions at this node. */
export class LocalSessions {
  readonly #partitions: Map<string, ReportedDevice>[] = Array.from(
    { length: PARTITION_COUNT },
    () => new Map(),
  );
  /** By the numbers of sessions. */
  readonly #takeOvers = new Map<number, () => void>();
  #lastNumber = 0;

  open({ deviceId, organizationId, clientId, takeOver }: NewSession): ClientSession {
    this.#lastNumber += 1;
    const session = { clientId, number: this.#lastNumber };
    const sessions = [...this.of({ deviceId, organizationId }).sessions, session];
    this.#devicesOf(deviceId).set(deviceId, { deviceId, organizationId, sessions });
    this.#takeOvers.set(session.number, takeOver);
    return session;
  }

  close(deviceId: string, { number }: ClientSession): void {
    this.#takeOvers.delete(number);
    const devices = this.#devicesOf(deviceId);
    const device = devices.get(deviceId);
    if (!device) return;
    const sessions = device.sessions.filter((each) => each.number !== number);
    if (sessions.length === 0) devices.delete(deviceId);
    else devices.set(deviceId, { ...device, sessions });
  }

  /** Closes a session, unless it has ended already. */
  takeOver(number: number): void {
    this.#takeOvers.get(number)?.();
  }

  has(deviceId: string): boolean {
    return this.#devicesOf(deviceId).has(deviceId);
  }

  of(device: Omit<ReportedDevice, 'sessions'>): ReportedDevice {
    return this.#devicesOf(device.deviceId).get(device.deviceId) ?? { ...device, sessions: [] };
  }

  /** The Devices of a partition that have sessions. */
  in(partition: number): Iterable<ReportedDevice> {
    return (this.#partitions[partition] as Map<string, ReportedDevice>).values();
  }

  #devicesOf(deviceId: string): Map<string, ReportedDevice> {
    return this.#partitions[partitionOf(deviceId)] as Map<string, ReportedDevice>;
  }
}
