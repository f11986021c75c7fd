import { setTimeout as sleep } from 'node:timers/promises';
import { type Ownership, PARTITION_COUNT, partitionOf } from '../../../nodes/index.ts';
import { createAvailabilityLog, endsWithin } from '../../../runtime/index.ts';
import type { Queries } from '../../../storage/index.ts';
import type { BrokerAddress } from './connection.ts';
import { endFormerSession } from './former-session.ts';
import { HeldBytes } from './held-bytes.ts';
import type { InboxDeps } from './inbox.ts';
import { RETRY_MS } from './ordered-publishing.ts';
import { PartitionSession, type PartitionSessionDeps } from './partition-session.ts';
import { type DeviceAddress, findDevices, listDevices } from './store.ts';
import { createTurns } from './turns.ts';

/*
 * Receives what Devices publish to an external broker, which also authorizes them.
 *
 * Each partition has a persistent session at the broker, subscribed to the topics of its Devices, and
 * the node that acts for the partition is connected to it. So the broker keeps the order of the
 * messages of a Device, and what is not acknowledged goes to the next owner.
 *
 * Invariants
 *   A. A message is acknowledged to the broker after its commit, or when it is refused for good by a
 *      node whose lease is held.
 *   B. A session connects only while this node acts for its partition and its lease is held.
 *   C. A partition is handed over after its session has ended here.
 *   D. What all sessions hold in memory is bounded, by number and by bytes.
 */

export interface BridgeDeps extends InboxDeps {
  readonly url: string;
  /** Identifies the installation at the broker: all its nodes have the same. */
  readonly clientId: string;
  readonly ownership: Ownership;
  readonly storage: Queries;
}

export interface Bridge {
  /** A Device was created, changed or deleted. */
  deviceChanged(device: DeviceAddress): void;
  /** Changes were missed. */
  devicesChanged(): void;
  /** Resolves when the broker sends messages of the Device here, or after a limited time. */
  subscribe(device: DeviceAddress): Promise<void>;
  /** Resolves when the sessions of partitions that this node no longer acts for have ended. */
  drained(partitions: readonly number[]): Promise<void>;
  sessions(): { readonly connected: number; readonly disconnected: number };
  stop(): Promise<void>;
}

const DEVICES_PER_PAGE = 2_000;
const MAX_CONCURRENT_CONNECTS = 8;
/** The limit for the parts of a packet other than its payload. */
const MAX_OVERHEAD_BYTES = 128 * 1024;
const MAX_HELD_BYTES = 32 * 1024 * 1024;
/** How long the creation of a Device waits for its subscription. */
export const SUBSCRIBE_TIMEOUT_MS = 2_000;
const FIRST = '00000000-0000-0000-0000-000000000000';

export class PartitionBridge implements Bridge {
  readonly #deps: BridgeDeps;
  readonly #sessionDeps: PartitionSessionDeps;
  readonly #stopping = new AbortController();
  readonly #sessions = new Map<number, PartitionSession>();
  /** By partition: the end of its session here. */
  readonly #ending = new Map<number, Promise<void>>();
  readonly #disconnected = new Set<PartitionSession>();
  /** Partitions whose Devices have been listed. */
  readonly #listed = new Set<number>();
  readonly #changed = new Map<string, DeviceAddress>();
  #applying: Promise<void> | undefined;
  #listing: Promise<void> = Promise.resolve();
  #former: Promise<void> = Promise.resolve();

  constructor(deps: BridgeDeps) {
    this.#deps = deps;
    const url = new URL(deps.url);
    const heldBytes = new HeldBytes(MAX_HELD_BYTES);
    const maxPacketBytes = deps.maxPayloadBytes + MAX_OVERHEAD_BYTES;
    const broker: BrokerAddress = { url, heldBytes, maxPacketBytes, version: 5 };
    const availability = createAvailabilityLog(deps.log, 'the MQTT broker');
    this.#sessionDeps = {
      ...deps,
      broker,
      inTurn: createTurns(MAX_CONCURRENT_CONNECTS),
      mayReceive: () => this.#former,
      onConnected: (session) => {
        this.#disconnected.delete(session);
        if (this.#disconnected.size === 0) availability.succeeded();
      },
      onDisconnected: (session, error) => {
        this.#disconnected.add(session);
        availability.failed(error);
      },
    };
    const { ownership } = deps;
    ownership.onChange(({ gained, lost }) => {
      if (this.#stopping.signal.aborted) return;
      for (const partition of lost) this.#end(partition);
      if (gained.size > 0) this.#begin([...gained]);
    });
    this.#begin(ownership.partitions);
  }

  deviceChanged(device: DeviceAddress): void {
    if (!this.#deps.ownership.owns(device.deviceId)) return;
    this.#changed.set(device.deviceId, device);
    this.#applying ??= this.#applyChanges().finally(() => {
      this.#applying = undefined;
    });
  }

  devicesChanged(): void {
    this.#list(this.#deps.ownership.partitions);
  }

  async subscribe(device: DeviceAddress): Promise<void> {
    if (!this.#deps.ownership.owns(device.deviceId)) return;
    const { subscriptions } = this.#add(device);
    await endsWithin(SUBSCRIBE_TIMEOUT_MS, subscriptions.complete());
  }

  async drained(partitions: readonly number[]): Promise<void> {
    await Promise.all(partitions.map((partition) => this.#ending.get(partition)));
  }

  sessions(): { readonly connected: number; readonly disconnected: number } {
    const sessions = [...this.#sessions.values()];
    const connected = sessions.filter(({ isConnected }) => isConnected).length;
    return { connected, disconnected: sessions.length - connected };
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    for (const partition of [...this.#sessions.keys()]) this.#end(partition);
    await Promise.all([...this.#ending.values(), this.#listing, this.#applying, this.#former]);
  }

  #begin(partitions: readonly number[] | null): void {
    this.#list(partitions);
    if (partitions !== null && !partitions.includes(0)) return;
    const { clientId } = this.#deps;
    this.#former = endFormerSession({
      ...this.#sessionDeps,
      clientId: `fieldwatch-${clientId}`,
      subscribed: () => this.#subscribed(),
      stopping: this.#stopping.signal,
    });
  }

  /** Resolves when all sessions have their subscriptions, or at the stop. */
  async #subscribed(): Promise<void> {
    await this.#listing;
    const { signal } = this.#stopping;
    const stopped = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const sessions = [...this.#sessions.values()];
    const complete = Promise.all(sessions.map(({ subscriptions }) => subscriptions.complete()));
    await Promise.race([complete, stopped]);
  }

  #end(partition: number): void {
    this.#listed.delete(partition);
    const session = this.#sessions.get(partition);
    if (!session) return;
    this.#sessions.delete(partition);
    this.#disconnected.delete(session);
    const ended = session.stop().finally(() => {
      if (this.#ending.get(partition) === ended) this.#ending.delete(partition);
    });
    this.#ending.set(partition, ended);
  }

  /** The session that gets a Device; a partition without Devices needs none. */
  #add({ organizationId, deviceId }: DeviceAddress): PartitionSession {
    const partition = partitionOf(deviceId);
    let session = this.#sessions.get(partition);
    if (!session) {
      session = new PartitionSession(this.#sessionDeps, {
        clientId: `fieldwatch-${this.#deps.clientId}-p${partition}`,
        isListed: () => this.#listed.has(partition),
        after: this.#ending.get(partition),
      });
      this.#sessions.set(partition, session);
    }
    session.subscriptions.add(organizationId, deviceId);
    session.update();
    return session;
  }

  #list(partitions: readonly number[] | null): void {
    this.#listing = this.#listing.then(() => this.#repeat(() => this.#listDevices(partitions)));
  }

  async #listDevices(partitions: readonly number[] | null): Promise<void> {
    const { storage, ownership } = this.#deps;
    const max = DEVICES_PER_PAGE;
    let after: DeviceAddress = { organizationId: FIRST, deviceId: FIRST };
    for (let isLast = false; !isLast && !this.#stopping.signal.aborted; ) {
      const page = await listDevices(storage, { after, partitions, max });
      for (const device of page) if (ownership.owns(device.deviceId)) this.#add(device);
      after = page.at(-1) ?? after;
      isLast = page.length < max;
    }
    for (let partition = 0; partition < PARTITION_COUNT; partition += 1) {
      const isOwn = ownership.ownerAt(partition) === ownership.nodeId;
      if (isOwn && (partitions?.includes(partition) ?? true)) this.#listed.add(partition);
    }
  }

  async #applyChanges(): Promise<void> {
    await this.#repeat(async () => {
      while (this.#changed.size > 0) {
        const some = [...this.#changed.values()].slice(0, DEVICES_PER_PAGE);
        for (const { deviceId } of some) this.#changed.delete(deviceId);
        const existing = await this.#find(some);
        const ids = new Set(existing.map(({ deviceId }) => deviceId));
        for (const device of some) {
          if (!this.#deps.ownership.owns(device.deviceId)) continue;
          if (ids.has(device.deviceId)) this.#add(device);
          else this.#remove(device);
        }
      }
    });
  }

  async #find(devices: readonly DeviceAddress[]): Promise<readonly DeviceAddress[]> {
    try {
      return await findDevices(this.#deps.storage, devices);
    } catch (error) {
      for (const device of devices) this.#changed.set(device.deviceId, device);
      throw error;
    }
  }

  #remove({ organizationId, deviceId }: DeviceAddress): void {
    const session = this.#sessions.get(partitionOf(deviceId));
    session?.subscriptions.remove(organizationId, deviceId);
    session?.update();
  }

  /** Until it succeeds. */
  async #repeat(work: () => Promise<void>): Promise<void> {
    const { signal } = this.#stopping;
    while (!signal.aborted) {
      try {
        await work();
        return;
      } catch (error) {
        this.#deps.log.debug({ err: error }, 'Devices for the MQTT broker could not be listed');
      }
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }
}
