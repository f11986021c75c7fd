import type { Log } from '../../../runtime/index.ts';
import { deviceTopic } from '../wire/index.ts';
import type { BrokerConnection } from './connection.ts';

/** How many filters one SUBSCRIBE packet has at most. */
const FILTERS_PER_PACKET = 200;

const filterOf = (organizationId: string, deviceId: string) =>
  `${deviceTopic(organizationId, deviceId)}/#`;

/**
 * The subscriptions of a session: one filter per Device of its partition, because a filter cannot
 * match the end of an id. Those that the broker has, and those that it lacks.
 */
export class Subscriptions {
  readonly #log: Log;
  /** Devices with a filter at the broker, with their organization. */
  readonly #present = new Map<string, string>();
  readonly #missing = new Map<string, string>();
  readonly #extra = new Set<string>();
  #waiting: (() => void)[] = [];
  #updating: Promise<void> | undefined;

  constructor(log: Log) {
    this.#log = log;
  }

  has(deviceId: string): boolean {
    return this.#present.has(deviceId) || this.#missing.has(deviceId);
  }

  add(organizationId: string, deviceId: string): void {
    this.#extra.delete(filterOf(organizationId, deviceId));
    if (!this.#present.has(deviceId)) this.#missing.set(deviceId, organizationId);
  }

  remove(organizationId: string, deviceId: string): void {
    this.#present.delete(deviceId);
    this.#missing.delete(deviceId);
    this.#extra.add(filterOf(organizationId, deviceId));
  }

  /** The broker has lost the session: all filters are missing. */
  reset(): void {
    for (const [deviceId, organizationId] of this.#present) {
      this.#missing.set(deviceId, organizationId);
    }
    this.#present.clear();
    this.#extra.clear();
  }

  /** Resolves when the broker has all filters that were added so far. */
  complete(): Promise<void> {
    if (this.#missing.size === 0) return Promise.resolve();
    return new Promise((resolve) => this.#waiting.push(resolve));
  }

  /** Sends what the broker lacks. Rejects when the connection is lost; the rest waits for the next. */
  update(connection: BrokerConnection): Promise<void> {
    this.#updating ??= this.#update(connection).finally(() => {
      this.#updating = undefined;
    });
    return this.#updating;
  }

  async #update(connection: BrokerConnection): Promise<void> {
    while (this.#missing.size > 0 || this.#extra.size > 0) {
      await this.#subscribeSome(connection);
      const extra = [...take(this.#extra.values())];
      if (extra.length === 0) continue;
      await connection.unsubscribe(extra);
      for (const filter of extra) this.#extra.delete(filter);
    }
  }

  async #subscribeSome(connection: BrokerConnection): Promise<void> {
    const added = [...take(this.#missing.entries())];
    if (added.length > 0) {
      const refused = await connection.subscribe(
        added.map(([deviceId, organizationId]) => filterOf(organizationId, deviceId)),
      );
      if (refused.length > 0) {
        const [filter] = refused;
        this.#log.error(
          { filter, refused: refused.length },
          'the MQTT broker refused subscriptions',
        );
      }
      for (const [deviceId, organizationId] of added) {
        if (this.#missing.delete(deviceId)) this.#present.set(deviceId, organizationId);
      }
    }
    if (this.#missing.size > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resolve of waiting) resolve();
  }
}

function* take<T>(items: IterableIterator<T>): Generator<T, void> {
  let count = 0;
  for (const item of items) {
    yield item;
    count += 1;
    if (count >= FILTERS_PER_PACKET) return;
  }
}
