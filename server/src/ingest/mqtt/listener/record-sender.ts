import type { RingWriter } from './ring.ts';

interface Held {
  readonly connection: number;
  readonly kind: number;
  readonly content: Uint8Array | undefined;
}

/**
 * The records from one thread to the other, in order. Those of one turn of the event loop are published
 * together. Records without room are held, and their connection waits for `whenRoom` before it sends more bytes.
 */
export class RecordSender {
  readonly #ring: RingWriter;
  #held: Held[] = [];
  #waiting: (() => void)[] = [];
  #isPublishing = false;

  constructor(ring: RingWriter) {
    this.#ring = ring;
  }

  /** False when the record is held. */
  send(connection: number, kind: number, content?: Uint8Array): boolean {
    if (this.#held.length === 0 && this.#ring.append(connection, kind, content)) {
      this.#publishLater();
      return true;
    }
    this.#held.push({ connection, kind, content: content && Uint8Array.from(content) });
    return false;
  }

  /** Calls back once no record is held. */
  whenRoom(callback: () => void): void {
    this.#waiting.push(callback);
  }

  /** Sends held records as far as there is room by now. */
  retry(): void {
    if (this.#held.length === 0) return;
    const left = this.#held.findIndex(
      ({ connection, kind, content }) => !this.#ring.append(connection, kind, content),
    );
    this.#held = left === -1 ? [] : this.#held.slice(left);
    this.#publishLater();
    if (this.#held.length > 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const callback of waiting) callback();
  }

  #publishLater(): void {
    if (this.#isPublishing) return;
    this.#isPublishing = true;
    setImmediate(() => {
      this.#isPublishing = false;
      this.#ring.publish();
    });
  }
}
