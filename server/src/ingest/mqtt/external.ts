import { setMaxListeners } from 'node:events';
import { setTimeout as sleep } from 'node:timers/promises';
import { connect, type MqttClient } from 'mqtt';
import type { Clock, Log } from '../../runtime/index.ts';
import type { DeviceEntries } from '../../variables/index.ts';
import { type Pipeline, taken } from '../pipeline.ts';
import { noteFailure, type Outcome, outcomeOf, refused, TAKEN } from './outcome.ts';
import { ALL_TOPICS, addressOf, isMalformed, isWithinLimits } from './topic.ts';

export interface ExternalBrokerDeps {
  readonly url: string;
  /** Says which server this is, the same after a restart: the broker keeps our messages by it. */
  readonly clientId: string;
  readonly entries: Pick<DeviceEntries, 'handle'>;
  readonly take: Pipeline['take'];
  readonly clock: Clock;
  readonly log: Log;
  readonly maxPayloadBytes: number;
}

/** A client acknowledges one message after the other, so several of them share the subscription. */
const CONNECTIONS = 16;
const RETRY_MS = 1_000;
const SESSION_SECONDS = 7 * 24 * 3_600;
const SUBSCRIPTION = `$share/fieldwatch/${ALL_TOPICS}`;

/** Takes what Devices publish to a broker of the operator's, which also decides who may. */
export function startExternalBroker(deps: ExternalBrokerDeps): { stop(): Promise<void> } {
  const { log, clientId } = deps;
  const stopping = new AbortController();
  setMaxListeners(CONNECTIONS, stopping.signal);
  const underWay = new Set<Promise<void>>();
  const receive = createReceive(deps, stopping.signal);
  const clients = Array.from({ length: CONNECTIONS }, (_, index) => {
    const client = connect(deps.url, {
      clientId: `fieldwatch-${clientId}-${index}`,
      protocolVersion: 5,
      clean: false,
      properties: { sessionExpiryInterval: SESSION_SECONDS, receiveMaximum: 100 },
      resubscribe: false,
      reconnectPeriod: RETRY_MS,
    });
    watch(client, log);
    client.handleMessage = ({ topic, payload }, acknowledge) => {
      const work: Promise<void> = receive(topic, payload).then((isDone) => {
        underWay.delete(work);
        if (isDone) acknowledge();
      });
      underWay.add(work);
    };
    return client;
  });
  return {
    async stop() {
      stopping.abort();
      await Promise.all(underWay);
      await Promise.all(clients.map((client) => client.endAsync(true)));
    },
  };
}

/** Answers true when the message is done with, false when the broker has to keep it. */
function createReceive(deps: ExternalBrokerDeps, stopping: AbortSignal) {
  const { entries, take, clock, log, maxPayloadBytes } = deps;

  async function attempt(topic: string, payload: Buffer, receivedAt: number): Promise<Outcome> {
    const address = addressOf(topic);
    if (!address || isMalformed(topic) || !isWithinLimits(topic)) {
      return refused('This is not a topic of a Device.');
    }
    const { organizationId, deviceId, suffix } = address;
    try {
      const device = entries.handle(deviceId);
      const entry = device.peek() ?? (await device.get());
      if (entry?.organizationId !== organizationId) {
        return refused('There is no such Device.');
      }
      await taken(take, { device, suffix, payload, receivedAt });
      return TAKEN;
    } catch (error) {
      noteFailure(log, deviceId, error);
      return outcomeOf(error);
    }
  }

  return async (topic: string, payload: string | Buffer): Promise<boolean> => {
    const bytes = typeof payload === 'string' ? Buffer.from(payload) : payload;
    if (bytes.length > maxPayloadBytes) return true;
    const receivedAt = clock.now();
    while (!stopping.aborted) {
      const outcome = await attempt(topic, bytes, receivedAt);
      if (outcome.kind !== 'UNTAKEN') return true;
      await sleep(RETRY_MS, undefined, { signal: stopping }).catch(() => undefined);
    }
    return false;
  };
}

/** Subscribes at each connection: the broker may have forgotten the session. */
function watch(client: MqttClient, log: Log): void {
  client.on('connect', () => {
    client.subscribe(SUBSCRIPTION, { qos: 1 }, (error) => {
      if (error) log.error({ err: error }, 'the MQTT broker refused the subscription');
    });
  });
  client.on('error', (error) => log.warn({ err: error }, 'the MQTT broker cannot be reached'));
}
