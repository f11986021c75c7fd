import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Clock,
  createDeferred,
  every,
  type Keyring,
  type Log,
  type Outbound,
  OutboundError,
} from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import { type ConnectionState, decryptPassword } from '../connections/index.ts';
import { OFFLINE, ONLINE, type Topics, topicsOf } from '../discovery/index.ts';
import { Broker, type Message } from './broker.ts';
import { Entities, type Value } from './entities.ts';
import {
  type ActiveConnection,
  listDevices,
  listVariables,
  saveStatus,
  type VariableRow,
} from './store.ts';

/** A stored reading of the organization. */
export interface PublishedReading {
  readonly variable: { readonly id: string };
  readonly at: number;
  readonly value: Value;
}

export interface SessionDeps {
  readonly storage: Queries;
  readonly clock: Clock;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly outbound: Outbound;
  readonly version: string;
  readonly publicUrl: string | null;
  /** Follows the readings of an organization, on all nodes. */
  readonly listen: (
    organizationId: string,
    listener: (reading: PublishedReading) => void,
  ) => () => void;
  /** The newest values, in the order of the request; null where there is none. */
  readonly latest: (
    variables: readonly VariableRow[],
  ) => Promise<readonly ({ readonly at: number; readonly value: Value } | null)[]>;
  readonly limits: SessionLimits;
}

export interface SessionLimits {
  readonly maxDevices: number;
  readonly maxVariables: number;
  /** How often changed values are published: the newest of each Variable. */
  readonly publishMs: number;
  readonly minRetryMs: number;
  readonly maxRetryMs: number;
}

export const SESSION_LIMITS: SessionLimits = {
  maxDevices: 1_000,
  maxVariables: 10_000,
  publishMs: 1_000,
  minRetryMs: 1_000,
  maxRetryMs: 60_000,
};

/** Messages that the broker had kept and that are removed in one turn. */
const MAX_LEFT_OVER = 10_000;
/** Devices are read again so often without a notification: Locations move without one. */
const REREAD_MS = 5 * 60_000;
/** How long a stop waits for the broker. */
const MAX_LEAVE_MS = 2_000;

/**
 * Publishes the Devices of one connection, until it is stopped.
 *
 * Invariant: what the entities hold as sent, the broker has, or the connection is lost and everything
 * is sent again after the next.
 */
export class Session {
  readonly connection: ActiveConnection;
  readonly #deps: SessionDeps;
  readonly #topics: Topics;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  #entities: Entities;
  #isDue = { devices: true, all: false };
  #leftOver: Message[] = [];
  #readAt = 0;
  #isCut = false;
  #isRemoved = false;

  /** Begins when the session before it, if there was one, has ended. */
  constructor(deps: SessionDeps, connection: ActiveConnection, before: Promise<void> | undefined) {
    this.connection = connection;
    this.#deps = deps;
    this.#topics = topicsOf(connection.id, connection.discoveryPrefix);
    this.#entities = this.#newEntities();
    this.#ended = Promise.resolve(before).then(() => this.#run());
  }

  /** Devices or Variables of the organization have changed. */
  devicesChanged(): void {
    this.#isDue.devices = true;
  }

  /** Ends the connection. Home Assistant keeps the Devices and shows them as unavailable. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  /** Ends the connection, and removes the Devices from Home Assistant before. */
  async remove(): Promise<void> {
    this.#isRemoved = true;
    await this.stop();
  }

  async #run(): Promise<void> {
    const { minRetryMs, maxRetryMs } = this.#deps.limits;
    const { signal } = this.#stopping;
    let retryMs = minRetryMs;
    while (!signal.aborted) {
      try {
        await this.#connect(() => {
          retryMs = minRetryMs;
        });
      } catch (error) {
        if (!signal.aborted) await this.#failed(error);
      }
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
      retryMs = Math.min(2 * retryMs, maxRetryMs);
    }
  }

  /** One connection, from its begin to its end. */
  async #connect(onConnected: () => void): Promise<void> {
    const { signal } = this.#stopping;
    this.#entities = this.#newEntities();
    this.#leftOver = [];
    this.#isDue = { devices: true, all: false };
    const broker = await this.#open(signal);
    const unlisten = this.#deps.listen(this.connection.organizationId, ({ variable, value, at }) =>
      this.#entities.put(variable.id, value, at),
    );
    const limitLeaving = () => setTimeout(() => broker.destroy(), MAX_LEAVE_MS).unref();
    signal.addEventListener('abort', limitLeaving, { once: true });
    try {
      // First, so that no birth message is lost once the state is CONNECTED.
      await broker.subscribe([this.#topics.birth]);
      await this.#publish(broker);
      await broker.subscribe([this.#topics.retained]);
      onConnected();
      await this.#serve(broker, signal);
      await this.#leave(broker);
    } finally {
      signal.removeEventListener('abort', limitLeaving);
      unlisten();
      await broker.end();
    }
  }

  /** Publishes changes until the session is stopped; rejects when the connection is lost. */
  async #serve(broker: Broker, signal: AbortSignal): Promise<void> {
    const lost = createDeferred<never>();
    const turns = every(this.#deps.limits.publishMs, () => this.#publish(broker), lost.reject);
    const stopped = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
    const closed = broker.closed.then(() => {
      throw new OutboundError('the connection was lost');
    });
    turns.start();
    try {
      await Promise.race([stopped, closed, lost.promise]);
    } finally {
      await turns.stop();
    }
  }

  #open(signal: AbortSignal): Promise<Broker> {
    const { keyring, outbound } = this.#deps;
    const { id, url, username, encryptedPassword } = this.connection;
    const password =
      encryptedPassword && decryptPassword(keyring, this.connection, encryptedPassword);
    const options = {
      ...{ url, username, password, clientId: `fieldwatch-${id}` },
      will: { topic: this.#topics.status, payload: OFFLINE },
      onMessage: (topic: string, payload: string, isRetained: boolean) =>
        this.#received(topic, payload, isRetained),
    };
    return Broker.connect(outbound, options, signal);
  }

  #received(topic: string, payload: string, isRetained: boolean): void {
    if (topic === this.#topics.birth) {
      // The birth message may be retained; what it asks for was just sent.
      if (payload === ONLINE && !isRetained) this.#isDue.all = true;
    } else if (isRetained && payload !== '' && this.#leftOver.length < MAX_LEFT_OVER) {
      this.#leftOver.push(...this.#entities.leftOver(topic, payload));
    }
  }

  /** Sends what the broker does not have. */
  async #publish(broker: Broker): Promise<void> {
    const due = this.#isDue;
    this.#isDue = { devices: false, all: false };
    const isOld = this.#deps.clock.elapsed() - this.#readAt >= REREAD_MS;
    if (due.devices || isOld) await this.#publishDevices(broker);
    if (due.all) await broker.publish(this.#entities.again());
    await broker.publish(this.#leftOver.splice(0));
    await broker.publish(this.#entities.takeChanged());
  }

  async #publishDevices(broker: Broker): Promise<void> {
    const { storage, clock, latest, limits } = this.#deps;
    const { organizationId, locationIds } = this.connection;
    this.#readAt = clock.elapsed();
    const devices = await listDevices(storage, organizationId, locationIds, limits.maxDevices + 1);
    const published = devices.slice(0, limits.maxDevices);
    const ids = published.map(({ id }) => id);
    const found = await listVariables(storage, organizationId, ids, limits.maxVariables + 1);
    const variables = found.slice(0, limits.maxVariables);
    this.#isCut = devices.length > limits.maxDevices || found.length > limits.maxVariables;
    const added = variables.filter(({ id }) => !this.#entities.hasVariable(id));
    const messages = this.#entities.replace(published, variables);
    const values = await latest(added);
    for (const [index, { id }] of added.entries()) {
      const newest = values[index];
      if (newest) this.#entities.put(id, newest.value, newest.at);
    }
    await broker.publish([{ topic: this.#topics.status, payload: ONLINE }, ...messages]);
    await this.#save('CONNECTED', this.#isCut ? cutText(limits) : null);
  }

  /** Says goodbye: Devices become unavailable, or are removed. */
  async #leave(broker: Broker): Promise<void> {
    const removal = this.#isRemoved ? this.#entities.clear() : [];
    const status = { topic: this.#topics.status, payload: this.#isRemoved ? '' : OFFLINE };
    await broker.publish([...removal, status]);
  }

  async #failed(error: unknown): Promise<void> {
    this.#deps.log.debug(
      { err: error, connection: this.connection.id },
      'Home Assistant is unavailable',
    );
    const message = error instanceof OutboundError ? error.message : 'an internal error';
    await this.#save('FAILED', message);
  }

  async #save(state: ConnectionState, message: string | null): Promise<void> {
    const { storage, clock, log } = this.#deps;
    const { organizationId } = this.connection;
    const status = { state, message, deviceCount: this.#entities.deviceCount };
    try {
      await saveStatus(storage, organizationId, this.connection, status, clock.now());
    } catch (error) {
      log.debug({ err: error }, 'the state of a connection to Home Assistant could not be stored');
    }
  }

  #newEntities(): Entities {
    const { version, publicUrl } = this.#deps;
    return new Entities({ topics: this.#topics, version, publicUrl });
  }
}

function cutText({ maxDevices, maxVariables }: SessionLimits): string {
  return `Only the first ${maxDevices} Devices and ${maxVariables} Variables are published.`;
}
