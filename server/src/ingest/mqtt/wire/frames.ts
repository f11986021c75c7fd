/** Why bytes cannot be cut into packets. */
export type FrameProblem = 'TOO_LARGE' | 'MALFORMED';

const MAX_LENGTH_BYTES = 4;
/** Chunks that wait for the rest of their packet before they are put together: each costs more than its bytes. */
const MAX_CHUNKS = 64;
const EMPTY = Buffer.alloc(0);

/**
 * Cuts a stream of bytes into packets. `next` moves to the next whole one; it lies in `bytes` from
 * `start` to `end`, its content from `content` on.
 */
export class Frames {
  bytes: Buffer = EMPTY;
  start = 0;
  content = 0;
  end = 0;
  problem: FrameProblem | undefined;
  /** Packets larger than this are a problem as soon as they are announced. */
  maxPacketBytes: number;
  /** What came after `bytes`. Put together only once a whole packet is there. */
  #later: Buffer[] = [];
  #laterBytes = 0;

  constructor(maxPacketBytes: number) {
    this.maxPacketBytes = maxPacketBytes;
  }

  /** Pieces of memory that hold what has not become a packet. */
  get pieces(): number {
    return 1 + this.#later.length;
  }

  push(chunk: Buffer): void {
    if (this.end === this.bytes.length && this.#laterBytes === 0) {
      this.bytes = chunk;
      this.end = 0;
      return;
    }
    if (this.#later.length >= MAX_CHUNKS) this.#later = [Buffer.concat(this.#later)];
    this.#later.push(chunk);
    this.#laterBytes += chunk.length;
  }

  /** False when no whole packet is there, or never will be: then `problem` says why. */
  next(): boolean {
    while (this.problem === undefined) {
      const missing = this.#measure();
      if (missing === 0) return true;
      if (missing > this.#laterBytes) return false;
      this.bytes = Buffer.concat([this.bytes.subarray(this.end), ...this.#later]);
      this.end = 0;
      this.#later = [];
      this.#laterBytes = 0;
    }
    return false;
  }

  /** Moves to the packet that follows if it is whole; otherwise tells how many bytes are missing. */
  #measure(): number {
    const { bytes, end: start } = this;
    let size = 0;
    for (let place = 1; place <= MAX_LENGTH_BYTES; place += 1) {
      const byte = bytes[start + place];
      if (byte === undefined) return 1;
      size += (byte & 127) * 128 ** (place - 1);
      if (byte > 127) continue;
      const content = start + place + 1;
      return this.#moveTo(start, content, content + size);
    }
    this.problem = 'MALFORMED';
    return 1;
  }

  #moveTo(start: number, content: number, end: number): number {
    if (end - start > this.maxPacketBytes) {
      this.problem = 'TOO_LARGE';
      return 1;
    }
    if (end > this.bytes.length) return end - this.bytes.length;
    this.start = start;
    this.content = content;
    this.end = end;
    return 0;
  }
}
