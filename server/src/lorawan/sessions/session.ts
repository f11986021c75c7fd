import { setTimeout as sleep } from 'node:timers/promises';
import {
  type Clock,
  type Keyring,
  type Log,
  type Outbound,
  OutboundError,
} from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import type { Intake } from '../intake/index.ts';
import {
  eventOfMessage,
  filtersOf,
  type LorawanEvent,
  UnreadableEvent,
} from '../messages/index.ts';
import { brokerPassword } from '../networks/index.ts';
import type { Activity } from './activity.ts';
import { Broker, type Delivery } from './broker.ts';
import { type ActiveNetwork, renewGatewayWindows, saveConnection } from './store.ts';

export interface SessionDeps {
  readonly storage: Queries;
  readonly clock: Clock;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly outbound: Outbound;
  readonly intake: Intake;
  readonly activity: Activity;
}

const MIN_RETRY_MS = 1_000;
const MAX_RETRY_MS = 60_000;

/** Receives the messages of one network, until it is stopped. */
export class Session {
  readonly network: ActiveNetwork;
  readonly #deps: SessionDeps;
  readonly #stopping = new AbortController();
  readonly #ended: Promise<void>;
  /** By EUI: the last event that is being stored. One that fails fails those after it. */
  readonly #turns = new Map<string, Promise<unknown>>();
  #isConnected = false;

  /** Begins when the session before it, if there was one, has ended. */
  constructor(deps: SessionDeps, network: ActiveNetwork, before: Promise<void> | undefined) {
    this.network = network;
    this.#deps = deps;
    this.#ended = Promise.resolve(before).then(() => this.#run());
  }

  get isConnected(): boolean {
    return this.#isConnected;
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#ended;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    let retryMs = MIN_RETRY_MS;
    while (!signal.aborted) {
      try {
        await this.#connect(() => {
          retryMs = MIN_RETRY_MS;
        });
      } catch (error) {
        if (!signal.aborted) await this.#failed(error);
      }
      await sleep(retryMs, undefined, { signal }).catch(() => undefined);
      retryMs = Math.min(2 * retryMs, MAX_RETRY_MS);
    }
  }

  /** One connection, from its begin to its end. */
  async #connect(onConnected: () => void): Promise<void> {
    const { signal } = this.#stopping;
    const broker = await this.#open(signal);
    try {
      await broker.subscribe(filtersOf(this.network));
      onConnected();
      this.#isConnected = true;
      await this.#save(true, null);
      await this.#renewGatewayWindows();
      const stopped = new Promise<void>((resolve) => {
        if (signal.aborted) resolve();
        signal.addEventListener('abort', () => resolve(), { once: true });
      });
      await Promise.race([broker.closed, stopped]);
      if (!signal.aborted) throw new OutboundError('the connection was lost');
    } finally {
      this.#isConnected = false;
      await broker.end();
    }
  }

  #open(signal: AbortSignal): Promise<Broker> {
    const { keyring, outbound } = this.#deps;
    const { id, kind, url, username, encryptedPassword, caCertificate } = this.network;
    const password =
      encryptedPassword && brokerPassword.decrypt(keyring, this.network, encryptedPassword);
    const options = {
      ...{ url: url ?? '', caCertificate, username, password, clientId: `fieldwatch-${id}` },
      version: kind === 'THE_THINGS_STACK_V3' ? (4 as const) : (5 as const),
      onMessage: (topic: string, payload: Buffer, { isRetained }: Delivery) =>
        this.#received(topic, payload, isRetained),
    };
    return Broker.connect(outbound, options, signal);
  }

  /** Fails where the message may be stored later: the connection ends, and the broker sends it again. */
  async #received(topic: string, payload: Buffer, isRetained: boolean): Promise<void> {
    const { intake, activity, log } = this.#deps;
    if (this.#stopping.signal.aborted) throw new Error('the session is stopping');
    const event = this.#eventOf(topic, payload);
    if (event === null || (isRetained && isOfUnknownTime(event))) return;
    activity.note(this.network);
    try {
      await this.#inTurn(event, () => intake.receive(this.network, event));
    } catch (error) {
      log.warn({ err: error, network: this.network.id }, 'a LoRaWAN event was not stored');
      throw error;
    }
  }

  /** Events of one sensor or gateway are stored one after the other, those of several together. */
  async #inTurn(event: LorawanEvent, store: () => Promise<unknown>): Promise<void> {
    const eui = event.kind === 'gateway' ? event.gatewayEui : event.devEui;
    const before = this.#turns.get(eui) ?? Promise.resolve();
    const turn = before.then(store);
    this.#turns.set(eui, turn);
    try {
      await turn;
    } finally {
      if (this.#turns.get(eui) === turn) this.#turns.delete(eui);
    }
  }

  /** What cannot be read will never be: it is logged, and acknowledged. */
  #eventOf(topic: string, payload: Buffer): LorawanEvent | null {
    try {
      return eventOfMessage(this.network, topic, payload);
    } catch (error) {
      const isExpected = error instanceof UnreadableEvent || error instanceof SyntaxError;
      if (!isExpected) throw error;
      const { id } = this.network;
      this.#deps.log.warn(
        { network: id, topic, reason: error.message },
        'unreadable LoRaWAN event',
      );
      return null;
    }
  }

  async #failed(error: unknown): Promise<void> {
    this.#deps.log.debug(
      { err: error, network: this.network.id },
      'the broker of a LoRaWAN network is unavailable',
    );
    await this.#save(false, error instanceof OutboundError ? error.message : 'an internal error');
  }

  async #renewGatewayWindows(): Promise<void> {
    const { storage, clock, log } = this.#deps;
    if (this.network.gatewayPrefixes.length === 0) return;
    try {
      await renewGatewayWindows(storage, this.network, clock.now());
    } catch (failure) {
      log.debug({ err: failure }, 'the online windows of LoRaWAN gateways were not renewed');
    }
  }

  async #save(isConnected: boolean, error: string | null): Promise<void> {
    const { storage, clock, log } = this.#deps;
    try {
      await saveConnection(storage, this.network, { isConnected, error }, clock.now());
    } catch (failure) {
      log.debug({ err: failure }, 'the state of a LoRaWAN network could not be stored');
    }
  }
}

/**
 * A retained message says that a gateway connected once: it may be gone since, and its broker with it.
 * That it has gone is believed, until it is seen again.
 */
function isOfUnknownTime(event: LorawanEvent): boolean {
  return event.kind === 'gateway' && event.isConnected;
}
