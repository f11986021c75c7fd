import { isoDateTime } from '../../runtime/index.ts';
import { gatewayMessage, sensorMessages } from '../intake/index.ts';
import { eventOfMessage, type LorawanEvent, type TopicSettings } from '../messages/index.ts';
import { NO_RADIO } from '../radio/index.ts';

/** What became of a message of a broker. */
export interface Described {
  /** The kind of event, `ignored` or `unreadable`. */
  readonly kind: string;
  readonly line: string;
  /** Of an event of a sensor. */
  readonly devEui: string | null;
}

/** Says what the server understands of a message, without a codec of a Device. */
export function describeMessage(
  network: TopicSettings,
  topic: string,
  payload: Buffer,
  now: number,
): Described {
  let event: LorawanEvent | null;
  try {
    event = eventOfMessage(network, topic, payload);
  } catch (error) {
    return { kind: 'unreadable', line: `${topic}: ${reasonOf(error)}`, devEui: null };
  }
  if (event === null) return { kind: 'ignored', line: topic, devEui: null };
  if (event.kind === 'gateway') {
    const { timestamp, data } = gatewayMessage(event, now);
    return { kind: event.kind, line: lineOf(event.gatewayEui, timestamp, data), devEui: null };
  }
  const [message] = sensorMessages(event, NO_RADIO, null);
  const data = message?.data ?? { log: event.kind === 'log' ? event.text : '' };
  const { kind, devEui, at } = event;
  return { kind, line: lineOf(devEui, at, data), devEui };
}

function reasonOf(error: unknown): string {
  if (error instanceof SyntaxError) return 'the message is not JSON';
  return error instanceof Error ? error.message : String(error);
}

const lineOf = (eui: string, at: number, data: object) =>
  `${eui} at ${isoDateTime(at)}: ${JSON.stringify(data)}`;
