import { Duplex } from 'node:stream';

const PUBACK = 4;
/** The type, and the remaining length in up to four bytes. */
const MAX_HEADER_BYTES = 5;

/**
 * Holds the acknowledgements that the client library writes until their messages are durable.
 *
 * The library passes on one message at a time and wants to acknowledge it before the next one. With this
 * it may do so at once, and messages are stored concurrently. Invariant: acknowledgements reach the broker
 * in the order of their messages, as MQTT requires, and none after that of a message that was not stored.
 */
export class AcknowledgementQueue {
  /** For the client library. */
  readonly stream: Duplex;
  readonly #inner: Duplex;
  /** Of messages whose acknowledgements the library has not written yet, in their order. */
  readonly #stored: Promise<unknown>[] = [];
  #written: Buffer = Buffer.alloc(0);
  #last: Promise<unknown> = Promise.resolve();

  constructor(inner: Duplex) {
    this.#inner = inner;
    this.stream = new Duplex({
      read: () => void inner.resume(),
      write: (chunk: Buffer, _encoding, done) => {
        this.#write(chunk);
        done();
      },
      final: (done) => void inner.end(done),
      destroy(error, done) {
        inner.destroy();
        done(error);
      },
    });
    inner.on('data', (chunk: Buffer) => {
      if (!this.stream.push(chunk)) inner.pause();
    });
    inner.on('end', () => this.stream.push(null));
    inner.on('error', (error) => this.stream.destroy(error));
    inner.on('close', () => this.stream.destroy());
  }

  /** The acknowledgement that the library writes next waits for this. */
  hold(stored: Promise<unknown>): void {
    this.#stored.push(stored);
  }

  /** Resolves when all that is held is written, or never will be. */
  async released(): Promise<void> {
    await this.#last.catch(() => undefined);
  }

  #write(chunk: Buffer): void {
    this.#written = Buffer.concat([this.#written, chunk]);
    for (let packet = this.#packet(); packet !== null; packet = this.#packet()) {
      const [first = 0] = packet;
      if (first >> 4 === PUBACK) this.#hold(packet);
      else this.#inner.write(packet);
    }
  }

  #hold(packet: Buffer): void {
    const stored = this.#stored.shift();
    this.#last = this.#last.then(() => stored).then(() => void this.#inner.write(packet));
    // The connection ends by the message that was not stored.
    this.#last.catch(() => undefined);
  }

  /** The first packet of what is written; null until it is complete. */
  #packet(): Buffer | null {
    let length = 0;
    for (let at = 1; at < MAX_HEADER_BYTES; at += 1) {
      const byte = this.#written[at];
      if (byte === undefined) return null;
      length += (byte & 127) * 128 ** (at - 1);
      if (byte >= 128) continue;
      const end = at + 1 + length;
      if (this.#written.length < end) return null;
      const packet = this.#written.subarray(0, end);
      this.#written = this.#written.subarray(end);
      return packet;
    }
    return null;
  }
}
