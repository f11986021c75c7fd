/**
 * A ring of records in memory that two threads share: one writes, the other reads.
 *
 * The counters are bytes since the start, modulo 2^32, and `written` never overtakes `read` by more
 * than the size of the ring. A thread that has nothing to read says so (`READER_WAITS`) and looks once
 * more: either it sees a record that was published meanwhile, or the writer sees that it waits and wakes
 * it. A writer without room waits for the reader in the same way (`WRITER_WAITS`).
 */
const WRITTEN = 0;
const READ = 1;
const READER_WAITS = 2;
const WRITER_WAITS = 3;
const CONTROL_WORDS = 4;

/** The connection, then the kind and the length of the content. Records begin at multiples of 8. */
const HEADER_BYTES = 8;
const KIND_SHIFT = 24;
const LENGTH_MASK = 0xff_ffff;
/** Fills the end of the ring where a record does not fit. */
const PADDING = 0xff;

/** The longest content of a record. */
export const MAX_RECORD_BYTES = 65_536;
/** A power of two, so that the counters may overflow. */
const RING_BYTES = 1 << 20;

export interface RingMemory {
  readonly control: SharedArrayBuffer;
  readonly data: SharedArrayBuffer;
}

export function createRingMemory(): RingMemory {
  return {
    control: new SharedArrayBuffer(CONTROL_WORDS * Int32Array.BYTES_PER_ELEMENT),
    data: new SharedArrayBuffer(RING_BYTES),
  };
}

const sizeOf = (length: number) => (HEADER_BYTES + length + 7) & ~7;

/** The end at which records are written. */
export class RingWriter {
  readonly #control: Int32Array;
  readonly #words: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #wake: () => void;
  #written: number;
  #read: number;

  constructor({ control, data }: RingMemory, wake: () => void) {
    this.#control = new Int32Array(control);
    this.#words = new Int32Array(data);
    this.#bytes = new Uint8Array(data);
    this.#wake = wake;
    this.#written = Atomics.load(this.#control, WRITTEN);
    this.#read = Atomics.load(this.#control, READ);
  }

  /** False without room: the reader then wakes this thread once it has read more. */
  append(connection: number, kind: number, content: Uint8Array | undefined): boolean {
    const length = content === undefined ? 0 : content.length;
    const size = sizeOf(length);
    const end = this.#written & (RING_BYTES - 1);
    const padding = end + size > RING_BYTES ? RING_BYTES - end : 0;
    if (!this.#hasRoom(padding + size)) return false;
    if (padding > 0) this.#head(end, 0, PADDING, padding - HEADER_BYTES);
    const start = padding > 0 ? 0 : end;
    this.#head(start, connection, kind, length);
    if (content !== undefined) this.#bytes.set(content, start + HEADER_BYTES);
    this.#written = (this.#written + padding + size) | 0;
    return true;
  }

  #head(start: number, connection: number, kind: number, length: number): void {
    this.#words[start >> 2] = connection;
    this.#words[(start >> 2) + 1] = (kind << KIND_SHIFT) | length;
  }

  #hasRoom(size: number): boolean {
    if (this.#free() >= size) return true;
    this.#read = Atomics.load(this.#control, READ);
    if (this.#free() >= size) return true;
    this.publish();
    Atomics.store(this.#control, WRITER_WAITS, 1);
    this.#read = Atomics.load(this.#control, READ);
    return this.#free() >= size;
  }

  #free(): number {
    return RING_BYTES - ((this.#written - this.#read) | 0);
  }

  /** Shows the reader all records so far, and wakes it if it waits for some. */
  publish(): void {
    Atomics.store(this.#control, WRITTEN, this.#written);
    if (Atomics.exchange(this.#control, READER_WAITS, 0) === 1) this.#wake();
  }
}

/** Called for each record. The content is valid until it returns. */
export type Visit = (connection: number, kind: number, content: Buffer) => void;

/** The end at which records are read. */
export class RingReader {
  readonly #control: Int32Array;
  readonly #bytes: Uint8Array;
  readonly #wake: () => void;
  /** The records that are read next, so that the writer can use their place meanwhile. */
  readonly #copy = Buffer.allocUnsafeSlow(4 * sizeOf(MAX_RECORD_BYTES));
  readonly #words = new Int32Array(this.#copy.buffer);
  #read: number;

  constructor({ control, data }: RingMemory, wake: () => void) {
    this.#control = new Int32Array(control);
    this.#bytes = new Uint8Array(data);
    this.#wake = wake;
    this.#read = Atomics.load(this.#control, READ);
  }

  /** Reads some records. False when there are none: the writer then wakes this thread for the next. */
  read(visit: Visit): boolean {
    const written = this.#published();
    if (written === this.#read) return false;
    const copied = this.#copyUntil(written);
    for (let at = 0; at < copied; ) {
      const header = this.#words[(at >> 2) + 1] as number;
      const kind = header >>> KIND_SHIFT;
      const start = at + HEADER_BYTES;
      const length = header & LENGTH_MASK;
      if (kind !== PADDING) {
        visit(this.#words[at >> 2] as number, kind, this.#copy.subarray(start, start + length));
      }
      at += sizeOf(length);
    }
    return true;
  }

  #published(): number {
    const written = Atomics.load(this.#control, WRITTEN);
    if (written !== this.#read) return written;
    Atomics.store(this.#control, READER_WAITS, 1);
    return Atomics.load(this.#control, WRITTEN);
  }

  /** Copies whole records, and frees their place. Returns the number of bytes. */
  #copyUntil(written: number): number {
    const start = this.#read & (RING_BYTES - 1);
    const present = Math.min((written - this.#read) | 0, RING_BYTES - start, this.#copy.length);
    this.#copy.set(this.#bytes.subarray(start, start + present));
    const whole = this.#wholeRecords(present);
    this.#read = (this.#read + whole) | 0;
    Atomics.store(this.#control, READ, this.#read);
    if (Atomics.exchange(this.#control, WRITER_WAITS, 0) === 1) this.#wake();
    return whole;
  }

  #wholeRecords(present: number): number {
    let whole = 0;
    while (whole < present) {
      const size = sizeOf((this.#words[(whole >> 2) + 1] as number) & LENGTH_MASK);
      if (whole + size > present) break;
      whole += size;
    }
    return whole;
  }
}
