import { connect as connectSocket, isIP } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { createWebSocketStream, WebSocket } from 'ws';
import { Acknowledgements, type Outcome, outcomeOf } from '../session/index.ts';
import { Frames, PacketWriter, PUBACK, readPublish } from '../wire/index.ts';

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'mqtt:': 1883, 'mqtts:': 8883 };
const PUBLISH_TYPE = 3;

/** A connection to the broker at an address such as `mqtts://host:8883`. */
export function openBrokerStream(url: URL): Duplex {
  if (url.protocol.startsWith('ws')) {
    return createWebSocketStream(new WebSocket(withoutCredentials(url), ['mqtt']));
  }
  const host = url.hostname.replace(/^\[|\]$/g, '');
  const port = Number(url.port) || (DEFAULT_PORTS[url.protocol] ?? 1883);
  return url.protocol === 'mqtts:'
    ? connectTls({ host, port, ...(isIP(host) === 0 ? { servername: host } : {}) })
    : connectSocket(port, host);
}

function withoutCredentials(url: URL): URL {
  const bare = new URL(url);
  bare.username = '';
  bare.password = '';
  return bare;
}

/** A message of the broker. */
export interface BrokerMessage {
  readonly topic: Buffer;
  readonly payload: Buffer;
  /** Called when the message is stored or refused for good: the broker may discard it. */
  complete(outcome: Outcome): void;
}

/**
 * Diverts the messages of the broker from a stream and leaves every other packet to the client
 * library, which would pass on one message at a time and wait for its acknowledgement.
 */
export function divertMessages(
  stream: Duplex,
  maxPacketBytes: number,
  onMessage: (message: BrokerMessage) => void,
): Duplex {
  const frames = new Frames(maxPacketBytes);
  const writer = new PacketWriter(stream);
  writer.version = 5;
  // MQTT requires acknowledgements in the order of the messages.
  const acknowledgements = new Acknowledgements({
    send({ qos, messageId }) {
      if (qos > 0) writer.acknowledge(PUBACK, messageId);
    },
    outcomeOf,
  });
  const outer = new Duplex({
    read: () => void stream.resume(),
    write: (chunk, _encoding, done) => void stream.write(chunk, done),
    final: (done) => void stream.end(done),
    destroy(error, done) {
      stream.destroy();
      done(error);
    },
  });
  stream.on('data', (chunk: Buffer) => {
    frames.push(chunk);
    while (frames.next()) {
      const { bytes, start, end } = frames;
      if ((bytes[start] as number) >> 4 === PUBLISH_TYPE) {
        const head = readPublish(frames, 5);
        if (typeof head === 'number') return void outer.destroy(new Error('malformed PUBLISH'));
        const acknowledgement = acknowledgements.open(head.qos, head.messageId);
        onMessage({
          topic: bytes.subarray(head.topicStart, head.topicEnd),
          payload: bytes.subarray(head.payloadStart, end),
          complete: (outcome) => acknowledgement.complete(outcome),
        });
      } else if (!outer.push(bytes.subarray(start, end))) stream.pause();
    }
    if (frames.problem) outer.destroy(new Error(`the broker sent a bad packet: ${frames.problem}`));
  });
  stream.on('end', () => outer.push(null));
  stream.on('error', (error) => outer.destroy(error));
  stream.on('close', () => outer.destroy());
  return outer;
}
