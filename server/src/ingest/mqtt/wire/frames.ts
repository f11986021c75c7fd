/** Why bytes cannot be split into packets. */
export type FrameProblem = 'TOO_LARGE' | 'MALFORMED';

const MAX_LENGTH_BYTES = 4;
/** How many chunks of an incomplete packet are held before they are merged: each has an overhead. */
const MAX_CHUNKS = 64;
const EMPTY = Buffer.alloc(0);

/**
 * Splits a stream of bytes into packets. `next` moves to the next complete one, which is in `bytes`
 * from `start` to `end`, with its content from `content` on.
 *
 * The memory of a chunk belongs to the caller. Packets are read in place, and after `retain` nothing
 * refers to the chunk any more.
 */
export class Frames {
  bytes: Buffer = EMPTY;
  start = 0;
  content = 0;
  end = 0;
  problem: FrameProblem | undefined;
  /** A larger packet is a problem as soon as its length is known. */
  maxPacketBytes: number;
  /** The chunks after `bytes`, merged only once they contain a complete packet. */
  #later: Buffer[] = [];
  #laterBytes = 0;
  /** Whether `bytes` is a chunk of the caller. */
  #isBorrowed = false;

  constructor(maxPacketBytes: number) {
    this.maxPacketBytes = maxPacketBytes;
  }

  /** The number of buffers with bytes of incomplete packets. */
  get pieces(): number {
    return 1 + this.#later.length;
  }

  push(chunk: Buffer): void {
    if (this.end === this.bytes.length && this.#laterBytes === 0) {
      this.bytes = chunk;
      this.end = 0;
      this.#isBorrowed = true;
      return;
    }
    if (this.#later.length >= MAX_CHUNKS) this.#later = [Buffer.concat(this.#later)];
    this.#later.push(Buffer.from(chunk));
    this.#laterBytes += chunk.length;
  }

  /** Copies the bytes that are left of a chunk. The current packet is no longer valid then. */
  retain(): void {
    if (!this.#isBorrowed) return;
    const { bytes, end } = this;
    this.bytes = end === bytes.length ? EMPTY : Buffer.from(bytes.subarray(end));
    this.end = 0;
    this.#isBorrowed = false;
  }

  /** False when there is no complete packet; `problem` is set when there never will be one. */
  next(): boolean {
    while (this.problem === undefined) {
      const missing = this.#measure();
      if (missing === 0) return true;
      if (missing > this.#laterBytes) return false;
      this.bytes = Buffer.concat([this.bytes.subarray(this.end), ...this.#later]);
      this.end = 0;
      this.#isBorrowed = false;
      this.#later = [];
      this.#laterBytes = 0;
    }
    return false;
  }

  /** Moves to the next packet if it is complete; otherwise returns how many bytes are missing. */
  #measure(): number {
    const { bytes, end: start } = this;
    let size = 0;
    for (let position = 1; position <= MAX_LENGTH_BYTES; position += 1) {
      const byte = bytes[start + position];
      if (byte === undefined) return 1;
      size |= (byte & 127) << (7 * (position - 1));
      if (byte > 127) continue;
      const content = start + position + 1;
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
