import { DamagedChunk } from './damaged-chunk.ts';

const VARINT_BYTES = 8;
const MAX_INT32 = 2 ** 31 - 1;

/** Reads the output of ByteWriter, never past the end. */
export class ByteReader {
  readonly bytes: Uint8Array;
  readonly view: DataView;
  readonly end: number;
  offset: number;

  constructor(bytes: Uint8Array, view: DataView, offset: number, end: number) {
    this.bytes = bytes;
    this.view = view;
    this.offset = offset;
    this.end = end;
  }

  /** Skips a number of bytes, and returns the offset of the first. */
  take(length: number): number {
    const start = this.offset;
    if (length > this.end - start) throw new DamagedChunk('it ends too early');
    this.offset = start + length;
    return start;
  }

  byte(): number {
    const start = this.take(1);
    return this.bytes[start] as number;
  }

  double(): number {
    const start = this.take(8);
    return this.view.getFloat64(start, true);
  }

  varint(): number {
    const first = this.byte();
    return first < 128 ? first : this.#rest(first);
  }

  /** Separate from `varint`, because most varints have one byte. */
  #rest(first: number): number {
    let value = first & 127;
    let scale = 128;
    for (let read = 1; read < VARINT_BYTES; read += 1) {
      const byte = this.byte();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
      scale *= 128;
    }
    throw new DamagedChunk('a number in it has no end');
  }

  signed(): number {
    const value = this.varint();
    if (value <= MAX_INT32) return (value >>> 1) ^ -(value & 1);
    const half = Math.floor(value / 2);
    return value - 2 * half === 0 ? half : -half - 1;
  }

  /** A section that ByteWriter wrote; this reader continues behind it. */
  section(): ByteReader {
    const length = this.view.getUint32(this.take(4), true);
    const start = this.take(length);
    return new ByteReader(this.bytes, this.view, start, start + length);
  }

  /** Throws when bytes are left. */
  finish(): void {
    if (this.offset !== this.end) throw new DamagedChunk('it has bytes too many');
  }
}
