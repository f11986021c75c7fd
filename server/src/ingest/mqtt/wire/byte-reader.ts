import { isUtf8 } from 'node:buffer';
import { type Fault, REASONS } from './reason-codes.ts';

const MAX_LENGTH_BYTES = 4;
const EMPTY = Buffer.alloc(0);

/**
 * Reads the fields of one packet. After the first fault every field is empty or 0, so that a caller
 * checks for a fault once, at the end.
 */
export class ByteReader {
  readonly bytes: Buffer;
  fault: Fault | undefined;
  at: number;
  #end: number;

  constructor(bytes: Buffer, start: number, end: number) {
    this.bytes = bytes;
    this.at = start;
    this.#end = end;
  }

  get isAtEnd(): boolean {
    return this.at >= this.#end;
  }

  fail(fault: Fault): void {
    this.fault ??= fault;
    this.at = this.#end;
  }

  /** Fails when bytes are left. */
  finish(): void {
    if (!this.isAtEnd) this.fail(REASONS.malformedPacket);
  }

  uint8(): number {
    const at = this.#take(1);
    return at === undefined ? 0 : (this.bytes[at] as number);
  }

  uint16(): number {
    const at = this.#take(2);
    return at === undefined ? 0 : this.bytes.readUInt16BE(at);
  }

  uint32(): number {
    const at = this.#take(4);
    return at === undefined ? 0 : this.bytes.readUInt32BE(at);
  }

  /** An identifier of 0 is a fault: it is reserved for packets without one. */
  packetId(): number {
    const id = this.uint16();
    if (id === 0) this.fail(REASONS.protocolError);
    return id;
  }

  /** A variable byte integer in its shortest form. */
  varint(): number {
    let value = 0;
    for (let position = 0; position < MAX_LENGTH_BYTES; position += 1) {
      const byte = this.uint8();
      value += (byte & 127) * 128 ** position;
      if (byte > 127) continue;
      if (byte === 0 && position > 0) this.fail(REASONS.malformedPacket);
      return value;
    }
    this.fail(REASONS.malformedPacket);
    return 0;
  }

  binary(): Buffer {
    const length = this.uint16();
    const at = this.#take(length);
    return at === undefined ? EMPTY : this.bytes.subarray(at, at + length);
  }

  text(): string {
    const bytes = this.binary();
    if (isUtf8(bytes) && !bytes.includes(0)) return bytes.toString();
    this.fail(REASONS.malformedPacket);
    return '';
  }

  /** Lets the function read at most so many bytes. */
  section(length: number, read: () => void): void {
    const outer = this.#end;
    const end = this.at + length;
    if (end > outer) {
      this.fail(REASONS.malformedPacket);
      return;
    }
    this.#end = end;
    read();
    this.#end = outer;
    if (this.fault !== undefined) this.at = outer;
  }

  #take(length: number): number | undefined {
    const { at } = this;
    if (at + length > this.#end) {
      this.fail(REASONS.malformedPacket);
      return undefined;
    }
    this.at = at + length;
    return at;
  }
}
