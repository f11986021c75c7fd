import { isUtf8 } from 'node:buffer';
import { type IClientOptions, MqttClient } from 'mqtt';
import { type Clock, createAvailabilityLog, type Log } from '../../../runtime/index.ts';
import type { DeviceCache, DeviceHandle } from '../../../variables/index.ts';
import type { Pipeline } from '../../pipeline.ts';
import { noteFailure, type Outcome, outcomeOf, refused } from '../session/index.ts';
import type { Refused } from '../wire/index.ts';
import { ALL_TOPICS, addressOf, isPublishable, isWithinLimits } from '../wire/index.ts';
import { type BrokerMessage, divertMessages, openBrokerStream } from './broker-stream.ts';
import { OrderedIntake } from './ordered-publishing.ts';

export interface ExternalBrokerDeps {
  readonly url: string;
  /** Says which server this is, the same after a restart: the broker keeps our messages by it. */
  readonly clientId: string;
  readonly deviceCache: Pick<DeviceCache, 'handle'>;
  readonly take: Pipeline['take'];
  readonly onRefused: (what: Refused) => void;
  readonly clock: Clock;
  readonly log: Log;
  readonly maxPayloadBytes: number;
}

const RETRY_MS = 1_000;
const SESSION_SECONDS = 7 * 24 * 3_600;
/** Messages on their way that the broker has no acknowledgement for. */
const RECEIVE_MAXIMUM = 200;
/** What a packet has beside its payload. */
const MAX_OVERHEAD_BYTES = 128 * 1024;

/**
 * Takes what Devices publish to a broker of the operator's, which also decides who may. One
 * connection carries everything: a broker keeps order within a connection and not between several.
 */
export function startExternalBroker(deps: ExternalBrokerDeps): { stop(): Promise<void> } {
  const { log } = deps;
  const stopping = new AbortController();
  const url = new URL(deps.url);
  const intake = new OrderedIntake({
    take: deps.take,
    outcomeOf(deviceId, error) {
      noteFailure(log, deviceId, error);
      return outcomeOf(error);
    },
    retryMs: RETRY_MS,
    stopping: stopping.signal,
  });
  const receive = createReceive(deps, intake);
  const maxPacketBytes = deps.maxPayloadBytes + MAX_OVERHEAD_BYTES;
  const openStream = () => divertMessages(openBrokerStream(url), maxPacketBytes, receive);
  const client = new MqttClient(openStream, clientOptions(url, deps.clientId));
  watch(client, log);
  return {
    async stop() {
      stopping.abort();
      await intake.finished();
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

const NO_TOPIC = refused('This is not a topic of a Device.');
const TOO_LARGE = refused('The payload is too large.');

function createReceive(deps: ExternalBrokerDeps, intake: OrderedIntake) {
  const { deviceCache, clock, onRefused, log, maxPayloadBytes } = deps;

  return ({ topic: bytes, payload, settle }: BrokerMessage): void => {
    const topic = isUtf8(bytes) ? bytes.toString() : '';
    const finish = (outcome: Outcome) => {
      if (outcome.kind === 'REFUSED') {
        onRefused('message');
        log.debug({ topic, reason: outcome.reason }, 'a message of the MQTT broker was refused');
      }
      settle(outcome);
    };
    const address = isPublishable(topic) && isWithinLimits(topic) ? addressOf(topic) : null;
    if (!address || payload.length > maxPayloadBytes) {
      finish(address ? TOO_LARGE : NO_TOPIC);
      return;
    }
    const { organizationId, deviceId, suffix } = address;
    const device = deviceOf(deviceCache, deviceId, organizationId);
    intake.add({ device, suffix, payload, receivedAt: clock.now() }, finish);
  };
}

/** The Device, if it belongs to the organization that the topic names. */
function deviceOf(
  deviceCache: ExternalBrokerDeps['deviceCache'],
  deviceId: string,
  organizationId: string,
): DeviceHandle {
  const handle = deviceCache.handle(deviceId);
  return {
    deviceId,
    peek() {
      const entry = handle.peek();
      return entry?.organizationId === organizationId ? entry : undefined;
    },
    async get() {
      const entry = await handle.get();
      return entry?.organizationId === organizationId ? entry : null;
    },
  };
}

/** Subscribes at each connection: the broker may have forgotten the session. */
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
