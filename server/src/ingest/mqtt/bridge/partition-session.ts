import { setTimeout as sleep } from 'node:timers/promises';
import { endsWithin } from '../../../runtime/index.ts';
import type { BrokerMessage } from './broker-stream.ts';
import { type BrokerAddress, type BrokerConnection, connectSession } from './connection.ts';
import { Inbox, type InboxDeps } from './inbox.ts';
import { RETRY_MS } from './ordered-publishing.ts';
import { Subscriptions } from './subscriptions.ts';

export interface SessionIdentity {
  readonly clientId: string;
  /** Whether all Devices of the partition have been added: a message of another one is of none. */
  readonly isListed: () => boolean;
  /** The end of an earlier connection of this node. */
  readonly after: Promise<void> | undefined;
}

export interface PartitionSessionDeps extends InboxDeps {
  readonly broker: BrokerAddress;
  /** Bounds how many sessions connect at a time. */
  readonly inTurn: <T>(work: () => Promise<T>) => Promise<T>;
  readonly onConnected: (session: PartitionSession) => void;
  readonly onDisconnected: (session: PartitionSession, error: unknown) => void;
  /** Resolves when messages may be processed. */
  readonly mayReceive: () => Promise<void>;
}

/** How long the stop of a session waits for messages that were submitted. */
const STOP_TIMEOUT_MS = 2_000;

/**
 * The session of a partition at the broker, which this node holds while it acts for the partition.
 * All nodes use the same client id for it: the broker gives the session, with its queue, to the one
 * that connects last, and closes the connection of the one before.
 */
export class PartitionSession {
  readonly subscriptions: Subscriptions;
  readonly #deps: PartitionSessionDeps;
  readonly #identity: SessionIdentity;
  readonly #stopping = new AbortController();
  #connection: BrokerConnection | undefined;
  #running: Promise<void> | undefined;

  constructor(deps: PartitionSessionDeps, identity: SessionIdentity) {
    this.#deps = deps;
    this.#identity = identity;
    this.subscriptions = new Subscriptions(deps.log);
  }

  get isConnected(): boolean {
    return this.#connection !== undefined;
  }

  /** Connects, and after that sends changed subscriptions. */
  update(): void {
    this.#running ??= this.#run();
    const connection = this.#connection;
    if (connection) this.#send(connection);
  }

  /** Ends the connection once submitted messages are answered; the broker keeps the session. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#running;
  }

  async #run(): Promise<void> {
    const { signal } = this.#stopping;
    await this.#identity.after;
    while (!signal.aborted) {
      const inbox = new Inbox(this.#deps);
      try {
        const connection = await this.#connect(inbox);
        if (connection) await this.#hold(connection, inbox);
      } catch (error) {
        if (!signal.aborted) this.#deps.onDisconnected(this, error);
      }
      if (signal.aborted) return;
      // What was submitted is stored before the broker sends it again.
      await inbox.stop();
      await sleep(RETRY_MS, undefined, { signal }).catch(() => undefined);
    }
  }

  #connect(inbox: Inbox): Promise<BrokerConnection | undefined> {
    const { broker, inTurn } = this.#deps;
    const { clientId } = this.#identity;
    return inTurn(async () => {
      if (!(await this.#isReady()) || this.#stopping.signal.aborted) return undefined;
      const onMessage = this.#receiver(inbox);
      return await connectSession(broker, { clientId, onMessage });
    });
  }

  /** A node that was halted must not take the session back from the one that acts now. */
  async #isReady(): Promise<boolean> {
    try {
      await this.#deps.ready();
      return true;
    } catch (error) {
      this.#deps.log.debug({ err: error }, 'no session at the MQTT broker without a lease');
      return false;
    }
  }

  #receiver(inbox: Inbox): (message: BrokerMessage) => void {
    const { signal } = this.#stopping;
    let isOpen = false;
    let early: BrokerMessage[] = [];
    const receive = (message: BrokerMessage) => {
      if (signal.aborted) return;
      const address = inbox.receive(message);
      if (!address || !this.#identity.isListed() || this.subscriptions.has(address.deviceId))
        return;
      // The session has it from a time at which the Device existed.
      this.subscriptions.remove(address.organizationId, address.deviceId);
      this.update();
    };
    void this.#deps.mayReceive().then(() => {
      isOpen = true;
      for (const message of early) receive(message);
      early = [];
    });
    return (message) => {
      if (isOpen) receive(message);
      else early.push(message);
    };
  }

  async #hold(connection: BrokerConnection, inbox: Inbox): Promise<void> {
    const { signal } = this.#stopping;
    if (!connection.isSessionPresent) this.subscriptions.reset();
    this.#connection = connection;
    this.#deps.onConnected(this);
    this.#send(connection);
    const stopped = new Promise<void>((resolve) => {
      if (signal.aborted) resolve();
      else signal.addEventListener('abort', () => resolve(), { once: true });
    });
    await Promise.race([connection.closed, stopped]);
    this.#connection = undefined;
    if (signal.aborted) await endsWithin(STOP_TIMEOUT_MS, inbox.stop());
    else this.#deps.onDisconnected(this, new Error('the connection ended'));
    await connection.end();
  }

  #send(connection: BrokerConnection): void {
    this.subscriptions.update(connection).catch((error: unknown) => {
      this.#deps.log.debug({ err: error }, 'subscriptions at the MQTT broker are incomplete');
      // The next connection sends the rest.
      void connection.end();
    });
  }
}
