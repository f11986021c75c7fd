import { isUtf8 } from 'node:buffer';
import { type IClientOptions, MqttClient } from 'mqtt';
import { type Clock, createAvailabilityLog, type Log } from '../../../runtime/index.ts';
import type { DeviceCache, DeviceHandle } from '../../../variables/index.ts';
import type { Submit } from '../../message.ts';
import type { DeadLetters } from '../../rejections/index.ts';
import { logFailure, type Outcome, outcomeOf, refused } from '../session/index.ts';
import type { Refused } from '../wire/index.ts';
import { ALL_TOPICS, addressOf, isPublishable, isWithinLimits } from '../wire/index.ts';
import { type BrokerMessage, divertMessages, openBrokerStream } from './broker-stream.ts';
import { OrderedPublishing } from './ordered-publishing.ts';

export interface BridgeDeps {
  readonly url: string;
  /** Identifies this server, also after a restart: the broker keeps its session by this id. */
  readonly clientId: string;
  readonly deviceCache: Pick<DeviceCache, 'handle'>;
  readonly submit: Submit;
  readonly deadLetters: Pick<DeadLetters, 'add'>;
  readonly checkWrites: () => Promise<void>;
  readonly onRefused: (what: Refused) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly maxPayloadBytes: number;
}

const RETRY_MS = 1_000;
const SESSION_SECONDS = 7 * 24 * 3_600;
/** How many messages the broker sends without an acknowledgement. */
const RECEIVE_MAXIMUM = 200;
/** The limit for the parts of a packet other than its payload. */
const MAX_OVERHEAD_BYTES = 128 * 1024;

/**
 * Receives what Devices publish to an external broker, which also authorizes them. There is one
 * connection: a broker preserves the order of messages within a connection, not between several.
 */
export function startBridge(deps: BridgeDeps): { stop(): Promise<void> } {
  const { log } = deps;
  const stopping = new AbortController();
  const url = new URL(deps.url);
  const publishing = new OrderedPublishing({
    submit: deps.submit,
    outcomeOf(deviceId, error) {
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
    stopping: stopping.signal,
  });
  const receive = createReceive(deps, publishing);
  const maxPacketBytes = deps.maxPayloadBytes + MAX_OVERHEAD_BYTES;
  const openStream = () => divertMessages(openBrokerStream(url), maxPacketBytes, receive);
  const client = new MqttClient(openStream, clientOptions(url, deps.clientId));
  watch(client, log);
  return {
    async stop() {
      stopping.abort();
      await publishing.finished();
      await client.endAsync(true);
    },
  };
}

function clientOptions(url: URL, clientId: string): IClientOptions {
  return {
    clientId: `fieldwatch-${clientId}`,
    ...(url.username === '' ? {} : { username: decodeURIComponent(url.username) }),
    ...(url.password === '' ? {} : { password: decodeURIComponent(url.password) }),
    protocolVersion: 5,
    clean: false,
    properties: { sessionExpiryInterval: SESSION_SECONDS, receiveMaximum: RECEIVE_MAXIMUM },
    resubscribe: false,
    reconnectPeriod: RETRY_MS,
  };
}

const NO_TOPIC = refused('The topic is not a topic of a Device.');
const TOO_LARGE = refused('The payload is too large.');

function createReceive(deps: BridgeDeps, publishing: OrderedPublishing) {
  const { deviceCache, clock, onRefused, log, maxPayloadBytes } = deps;

  return ({ topic: bytes, payload, complete }: BrokerMessage): void => {
    const topic = isUtf8(bytes) ? bytes.toString() : '';
    const finish = (outcome: Outcome) => {
      if (outcome.kind === 'REFUSED') {
        onRefused('message');
        log.debug({ topic, reason: outcome.reason }, 'refused a message of the MQTT broker');
      }
      complete(outcome);
    };
    const address = isPublishable(topic) && isWithinLimits(topic) ? addressOf(topic) : null;
    if (!address || payload.length > maxPayloadBytes) {
      finish(address ? TOO_LARGE : NO_TOPIC);
      return;
    }
    const { organizationId, deviceId, suffix } = address;
    const device = deviceOf(deviceCache, deviceId, organizationId);
    const message = { device, suffix, payload, receivedAt: clock.now() };
    publishing.add({ message, topic, payload, complete: finish });
  };
}

/** The Device, if it belongs to the organization that the topic names. */
function deviceOf(
  deviceCache: BridgeDeps['deviceCache'],
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

/** Subscribes at each connection: the broker may have lost the session. */
function watch(client: MqttClient, log: Log): void {
  const availability = createAvailabilityLog(log, 'the MQTT broker');
  client.on('connect', () => {
    availability.succeeded();
    client.subscribe(ALL_TOPICS, { qos: 1 }, (error) => {
      if (error) log.error({ err: error }, 'the MQTT broker refused the subscription');
    });
  });
  client.on('error', availability.failed);
  client.on('offline', () => availability.failed(new Error('the connection ended')));
}
