import { connect as connectSocket, isIP } from 'node:net';
import { Duplex } from 'node:stream';
import { connect as connectTls } from 'node:tls';
import { createWebSocketStream, WebSocket } from 'ws';
import { Acknowledgements, type Outcome, outcomeOf } from '../session/index.ts';
import { Frames, PacketWriter, type ProtocolVersion, PUBACK, readPublish } from '../wire/index.ts';
import type { HeldBytes } from './held-bytes.ts';

const DEFAULT_PORTS: Readonly<Record<string, number>> = { 'mqtt:': 1883, 'mqtts:': 8883 };
const PUBLISH_TYPE = 3;
/** What a message costs beside its payload. */
const MESSAGE_WEIGHT = 256;

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

export interface DivertOptions {
  readonly version: ProtocolVersion;
  readonly maxPacketBytes: number;
  readonly heldBytes: HeldBytes;
  readonly onMessage: (message: BrokerMessage) => void;
}

/** A stream without the messages of the broker. */
export interface DivertedStream {
  readonly stream: Duplex;
  /** Writes the acknowledgements that are due. */
  flush(): void;
  /** Called when no message of this connection is held any more, completed or not. */
  release(): void;
}

/**
 * Diverts the messages of the broker from a stream and leaves every other packet to the client
 * library, which would pass on one message at a time and wait for its acknowledgement.
 */
export function divertMessages(stream: Duplex, options: DivertOptions): DivertedStream {
  const { version, heldBytes } = options;
  const frames = new Frames(options.maxPacketBytes);
  const writer = new PacketWriter(stream);
  writer.version = version;
  const open = createOpening(writer, options);
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
        const head = readPublish(frames, version);
        if (typeof head === 'number') return void outer.destroy(new Error('malformed PUBLISH'));
        const topic = bytes.subarray(head.topicStart, head.topicEnd);
        open.message(head, topic, bytes.subarray(head.payloadStart, end));
      } else if (!outer.push(bytes.subarray(start, end))) stream.pause();
    }
    if (frames.problem) outer.destroy(new Error(`the broker sent a bad packet: ${frames.problem}`));
    if (!heldBytes.isFull) return;
    stream.pause();
    heldBytes.onRoom(() => stream.resume());
  });
  stream.on('end', () => outer.push(null));
  stream.on('error', (error) => outer.destroy(error));
  stream.on('close', () => outer.destroy());
  return { stream: outer, flush: () => writer.flush(), release: open.release };
}

/** Passes messages on, and acknowledges them in their order: MQTT requires this. */
function createOpening(writer: PacketWriter, { heldBytes, onMessage }: DivertOptions) {
  let held = 0;
  const change = (bytes: number) => {
    held += bytes;
    if (bytes > 0) heldBytes.hold(bytes);
    else heldBytes.release(-bytes);
  };
  const acknowledgements = new Acknowledgements({
    send({ qos, messageId }) {
      if (qos > 0) writer.acknowledge(PUBACK, messageId);
    },
    outcomeOf,
  });
  let isReleased = false;
  return {
    message(
      { qos, messageId }: { readonly qos: 0 | 1 | 2; readonly messageId: number },
      topic: Buffer,
      payload: Buffer,
    ): void {
      const bytes = payload.length + MESSAGE_WEIGHT;
      const acknowledgement = acknowledgements.open(qos, messageId);
      change(bytes);
      onMessage({
        topic,
        payload,
        complete(outcome) {
          if (isReleased) return;
          change(-bytes);
          acknowledgement.complete(outcome);
        },
      });
    },
    release(): void {
      if (isReleased) return;
      isReleased = true;
      change(-held);
    },
  };
}
