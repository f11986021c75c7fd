/** Why bytes cannot be cut into packets. */
export type FrameProblem = 'TOO_LARGE' | 'MALFORMED';

const MOST_LENGTH_BYTES = 4;
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
  readonly #maxBytes: number;
  /** What came after `bytes`. Put together only once a whole packet is there. */
  #later: Buffer[] = [];
  #laterBytes = 0;

  constructor(maxPacketBytes: number) {
    this.#maxBytes = maxPacketBytes;
  }

  push(chunk: Buffer): void {
    if (this.end === this.bytes.length && this.#laterBytes === 0) {
      this.bytes = chunk;
      this.end = 0;
      return;
    }
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
    for (let place = 1; place <= MOST_LENGTH_BYTES; place += 1) {
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
    if (end - start > this.#maxBytes) {
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
