import type { LiveDevice } from '@fieldwatch/contract';
import type { LiveReading } from '../announcement.ts';
import { createDeviceWatch, type DeviceWatch, type PresenceOf } from '../hub/index.ts';
import type { LiveLimits } from '../limits.ts';
import { type Filter, type Interest, interestOf, passesDevice } from '../stream/index.ts';
import type { FollowCall } from './follow.ts';
import { WaitingNews } from './waiting-news.ts';

/** Another node whose streams follow Devices that this node acts for. */
export interface Follower {
  readonly nodeId: string;
  readonly waiting: WaitingNews;
}

interface FollowingNode extends Follower {
  epoch: number;
  sequence: number;
  /** By the monotonic clock: a node that follows says so again before. */
  expiresAt: number;
  organizations: ReadonlyMap<
    string,
    { readonly filters: readonly Filter[]; readonly interest: Interest }
  >;
}

interface FollowersDeps {
  readonly presenceOf: PresenceOf;
  readonly limits: LiveLimits;
  /** Something waits for a node. */
  readonly onNews: (follower: Follower) => void;
}

/** A node that does not repeat what it follows is gone. */
const FOLLOW_MS = 15_000;
const MAX_WAITING_WEIGHT = 4 * 1024 * 1024;

/** The other nodes that follow values and Devices of this one, and what waits for them. */
export class Followers {
  readonly #deps: FollowersDeps;
  readonly #nodes = new Map<string, FollowingNode>();
  /** By organization that any of them follows. */
  readonly #watches = new Map<string, DeviceWatch>();

  constructor(deps: FollowersDeps) {
    this.#deps = deps;
  }

  /** False when no node follows anything: announcing then costs nothing. */
  get isFollowed(): boolean {
    return this.#watches.size > 0;
  }

  has({ nodeId, waiting }: Follower): boolean {
    return this.#nodes.get(nodeId)?.waiting === waiting;
  }

  follow(nodeId: string, { epoch, sequence, follows }: FollowCall, now: number): void {
    const known = this.#nodes.get(nodeId);
    const isOld =
      known && (epoch < known.epoch || (epoch === known.epoch && sequence <= known.sequence));
    if (isOld) return;
    const organizations = new Map(
      [...follows].map(([id, filters]) => [id, { filters, interest: interestOf(filters) }]),
    );
    const waiting = known?.waiting ?? new WaitingNews(MAX_WAITING_WEIGHT);
    const expiresAt = now + FOLLOW_MS;
    this.#nodes.set(nodeId, { nodeId, epoch, sequence, expiresAt, organizations, waiting });
    this.#watchOrganizations();
  }

  /** Removes nodes that have not said for long that they follow. */
  expire(now: number): void {
    for (const [nodeId, { expiresAt }] of this.#nodes)
      if (expiresAt <= now) this.#nodes.delete(nodeId);
    this.#watchOrganizations();
  }

  announceReading(reading: LiveReading): void {
    const { variable } = reading;
    for (const node of this.#nodes.values()) {
      if (!node.organizations.get(variable.organizationId)?.interest.has(variable)) continue;
      node.waiting.putReading(reading);
      this.#deps.onNews(node);
    }
  }

  /** The Device was seen: announced when it was offline, and repeated now and then. */
  deviceSeen(organizationId: string, deviceId: string, at: number): void {
    const device = this.#watches.get(organizationId)?.seen(deviceId, at);
    if (device) this.#send(organizationId, device);
  }

  /** The Device may have come online or gone offline. */
  deviceChanged(organizationId: string, device: LiveDevice): void {
    this.#watches.get(organizationId)?.learn(device);
    this.#send(organizationId, device);
  }

  #send(organizationId: string, device: LiveDevice): void {
    for (const node of this.#nodes.values()) {
      const filters = node.organizations.get(organizationId)?.filters ?? [];
      if (!filters.some((filter) => passesDevice(filter, device.deviceId))) continue;
      node.waiting.putDevice(organizationId, device);
      this.#deps.onNews(node);
    }
  }

  #watchOrganizations(): void {
    const { presenceOf, limits } = this.#deps;
    const followed = new Set(
      [...this.#nodes.values()].flatMap((node) => [...node.organizations.keys()]),
    );
    for (const id of this.#watches.keys()) if (!followed.has(id)) this.#watches.delete(id);
    for (const id of followed)
      if (!this.#watches.has(id)) this.#watches.set(id, createDeviceWatch(presenceOf, limits));
  }
}
