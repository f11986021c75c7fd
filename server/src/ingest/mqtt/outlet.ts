import type { Duplex } from 'node:stream';
import type { Packet } from 'mqtt-packet';
import { type ProtocolVersion, writePacket } from './control-packet.ts';

/** The first byte of acknowledgements that are two bytes long. */
export const PUBACK = 0x40;
export const PUBREC = 0x50;
export const PUBCOMP = 0x70;

/** What goes out to one client. Acknowledgements that are given together are written together. */
export class Outlet {
  version: ProtocolVersion = 4;
  readonly #stream: Duplex;
  /** Each as its first byte and its identifier. */
  #acknowledgements: number[] = [];

  constructor(stream: Duplex) {
    this.#stream = stream;
  }

  get waitingBytes(): number {
    return this.#stream.writableLength;
  }

  acknowledge(kind: number, messageId: number): void {
    if (this.#acknowledgements.length === 0) queueMicrotask(() => this.flush());
    this.#acknowledgements.push((kind << 16) | messageId);
  }

  send(packet: Packet): void {
    this.flush();
    this.#write(writePacket(packet, this.version));
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

  #write(bytes: Buffer): void {
    if (!this.#stream.writableEnded && !this.#stream.destroyed) this.#stream.write(bytes);
  }
}
