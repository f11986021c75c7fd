import { isUtf8 } from 'node:buffer';
import type { Clock, Log } from '../../../runtime/index.ts';
import type { DeviceCache, DeviceHandle } from '../../../variables/index.ts';
import type { Submit } from '../../message.ts';
import type { DeadLetters } from '../../rejections/index.ts';
import { logFailure, NOT_STORED, type Outcome, outcomeOf, refused } from '../session/index.ts';
import {
  addressOf,
  isPublishable,
  isWithinLimits,
  type Refused,
  type TopicAddress,
} from '../wire/index.ts';
import type { BrokerMessage } from './broker-stream.ts';
import { OrderedPublishing, RETRY_MS } from './ordered-publishing.ts';

export interface InboxDeps {
  readonly deviceCache: Pick<DeviceCache, 'handle'>;
  readonly submit: Submit;
  readonly deadLetters: Pick<DeadLetters, 'add'>;
  readonly checkWrites: () => Promise<void>;
  /** Resolves while the lease of this node is held; rejects when another node acts for its Devices. */
  readonly ready: () => Promise<void>;
  readonly onRefused: (what: Refused) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly maxPayloadBytes: number;
}

const NO_TOPIC = refused('The topic is not a topic of a Device.');
const TOO_LARGE = refused('The payload is too large.');

/**
 * The messages of one connection. They are dropped with it, unless they were submitted: the broker
 * sends what it has no acknowledgement of again.
 */
export class Inbox {
  readonly #deps: InboxDeps;
  readonly #stopping = new AbortController();
  readonly #publishing: OrderedPublishing;
  #pending = 0;

  constructor(deps: InboxDeps) {
    this.#deps = deps;
    this.#publishing = createPublishing(deps, this.#stopping.signal);
  }

  /** How many messages are not completed. */
  get pending(): number {
    return this.#pending;
  }

  /** Stores a message, or refuses it. Returns the parts of its topic. */
  receive({ topic: bytes, payload, complete }: BrokerMessage): TopicAddress | null {
    const { deviceCache, clock, maxPayloadBytes } = this.#deps;
    const topic = isUtf8(bytes) ? bytes.toString() : '';
    this.#pending += 1;
    const finish = (outcome: Outcome) => this.#finish(topic, outcome, complete);
    const address = isPublishable(topic) && isWithinLimits(topic) ? addressOf(topic) : null;
    if (!address || payload.length > maxPayloadBytes) {
      finish(address ? TOO_LARGE : NO_TOPIC);
      return address;
    }
    const { organizationId, deviceId, suffix } = address;
    const device = deviceOf(deviceCache, deviceId, organizationId);
    const message = { device, suffix, payload, receivedAt: clock.now() };
    this.#publishing.add({ message, topic, payload, complete: finish });
    return address;
  }

  /** Submits no further message. Resolves when those that were submitted are stored or failed. */
  async stop(): Promise<void> {
    this.#stopping.abort();
    await this.#publishing.finished();
  }

  #finish(topic: string, outcome: Outcome, complete: BrokerMessage['complete']): void {
    const { ready, onRefused, log } = this.#deps;
    const end = () => {
      this.#pending -= 1;
      complete(outcome);
    };
    if (outcome.kind !== 'REFUSED') {
      end();
      return;
    }
    // A commit carries the epoch of this node. A refusal commits nothing, and needs the lease.
    ready().then(
      () => {
        onRefused('message');
        log.debug({ topic, reason: outcome.reason }, 'refused a message of the MQTT broker');
        end();
      },
      (error: unknown) => log.debug({ err: error, topic }, 'left a message to another node'),
    );
  }
}

function createPublishing(deps: InboxDeps, stopping: AbortSignal): OrderedPublishing {
  const { log } = deps;
  return new OrderedPublishing({
    submit: deps.submit,
    outcomeOf(deviceId, error) {
      // What is submitted at the stop goes to the node that acts for the Device then.
      if (stopping.aborted) return NOT_STORED;
      logFailure(log, deviceId, error);
      return outcomeOf(error);
    },
    async keepDeadLetter({ message: { device }, topic, payload }, reason) {
      const { deviceId } = device;
      await deps.deadLetters.add({ deviceId, topic, payload, reason });
      log.warn({ deviceId, topic, reason }, 'a message of the MQTT broker is a dead letter now');
    },
    checkWrites: deps.checkWrites,
    retryMs: RETRY_MS,
    stopping,
  });
}

/** The Device, if it belongs to the organization that the topic names. */
function deviceOf(
  deviceCache: InboxDeps['deviceCache'],
  deviceId: string,
  organizationId: string,
): DeviceHandle {
  const handle = deviceCache.handle(deviceId);
  return {
    deviceId,
    peek() {
      const device = handle.peek();
      return device?.organizationId === organizationId ? device : undefined;
    },
    async get() {
      const device = await handle.get();
      return device?.organizationId === organizationId ? device : null;
    },
  };
}
