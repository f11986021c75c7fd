import { once } from 'node:events';
import type { Duplex } from 'node:stream';
import type { Packet } from 'mqtt-packet';
import { writePacket } from './control-packet.ts';
import type { ProtocolVersion } from './protocol.ts';
import { type OutgoingPublish, writePublish } from './publish-packet.ts';

/** The first byte of acknowledgements that are two bytes long. */
export const PUBACK = 0x40;
export const PUBREC = 0x50;
export const PUBCOMP = 0x70;

/**
 * Writes packets to one client, none of them larger than the client accepts. Acknowledgements of one
 * turn of the event loop are written together.
 */
export class PacketWriter {
  version: ProtocolVersion = 4;
  /** The Maximum Packet Size of the client. */
  maxPacketBytes = Number.POSITIVE_INFINITY;
  readonly #stream: Duplex;
  /** The first byte and the identifier of each. */
  #acknowledgements: number[] = [];

  constructor(stream: Duplex) {
    this.#stream = stream;
  }

  /** True while the client reads more slowly than the server writes. */
  get isBlocked(): boolean {
    return this.#stream.writableNeedDrain;
  }

  /** The callback is called each time that writing resumes after it was blocked. */
  onDrain(drained: () => void): void {
    this.#stream.on('drain', drained);
  }

  /** Resolves when writing resumes or the connection is closed. */
  async drained(): Promise<void> {
    const ended = new AbortController();
    const { signal } = ended;
    const events = ['drain', 'close'].map((event) => once(this.#stream, event, { signal }));
    await Promise.race(events).catch(() => undefined);
    ended.abort();
  }

  acknowledge(kind: number, messageId: number): void {
    if (this.#acknowledgements.length === 0) flushLater(this);
    this.#acknowledgements.push((kind << 16) | messageId);
  }

  fits(packet: Packet): boolean {
    return writePacket(packet, this.version).length <= this.maxPacketBytes;
  }

  /** False when the packet is larger than the client accepts, even without optional properties. */
  send(packet: Packet): boolean {
    this.flush();
    const bytes = writePacket(packet, this.version);
    if (bytes.length <= this.maxPacketBytes) return this.#write(bytes);
    if (!isReason(packet)) return false;
    const { properties: _, ...bare } = packet;
    const shorter = writePacket(bare, this.version);
    return shorter.length <= this.maxPacketBytes && this.#write(shorter);
  }

  /** False when the message is larger than the client accepts. */
  publish(message: OutgoingPublish): boolean {
    this.flush();
    const bytes = writePublish(message, this.version);
    return bytes.length <= this.maxPacketBytes && this.#write(bytes);
  }

  flush(): void {
    const given = this.#acknowledgements;
    if (given.length === 0) return;
    this.#acknowledgements = [];
    const bytes = Buffer.allocUnsafe(4 * given.length);
    let at = 0;
    for (const each of given) {
      bytes[at] = each >> 16;
      bytes[at + 1] = 2;
      bytes[at + 2] = (each >> 8) & 0xff;
      bytes[at + 3] = each & 0xff;
      at += 4;
    }
    this.#write(bytes);
  }

  get #isClosed(): boolean {
    return this.#stream.writableEnded || this.#stream.destroyed;
  }

  #write(bytes: Buffer): true {
    if (!this.#isClosed) this.#stream.write(bytes);
    return true;
  }
}

/** The writers with acknowledgements of this turn. */
let acknowledging: PacketWriter[] = [];

/** One microtask serves all writers: a batch acknowledges messages of hundreds of connections. */
function flushLater(writer: PacketWriter): void {
  if (acknowledging.length === 0) queueMicrotask(flushAll);
  acknowledging.push(writer);
}

function flushAll(): void {
  const writers = acknowledging;
  acknowledging = [];
  for (const writer of writers) writer.flush();
}

/** Acknowledgements whose properties only explain their reason code. */
function isReason(packet: Packet): packet is Packet & { properties?: object } {
  return packet.cmd === 'puback' || packet.cmd === 'pubrec' || packet.cmd === 'pubcomp';
}
