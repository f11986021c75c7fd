import { Duplex } from 'node:stream';
import type { RecordSender } from './record-sender.ts';
import { TO_THREAD } from './records.ts';
import { MAX_RECORD_BYTES } from './ring.ts';

type Done = (error?: Error | null) => void;

/**
 * A connection whose socket is in another thread. Like sockets that share a receive buffer, it emits
 * chunks that are valid until their listeners return, and some more after it was paused.
 */
export class ThreadConnection extends Duplex {
  readonly #id: number;
  readonly #sender: RecordSender;
  #unflushedBytes = 0;
  #flushing: Done | undefined;
  #isClosedThere = false;

  constructor(id: number, sender: RecordSender) {
    super({ autoDestroy: false });
    this.#id = id;
    this.#sender = sender;
  }

  /** All bytes so far are on their way to the client. */
  flushed(): void {
    const done = this.#flushing;
    this.#flushing = undefined;
    if (!this.destroyed) done?.();
  }

  /** The socket is closed. */
  closedThere(): void {
    this.#isClosedThere = true;
    this.destroy();
  }

  override pause(): this {
    this.#sender.send(this.#id, TO_THREAD.pause);
    return super.pause();
  }

  override resume(): this {
    this.#sender.send(this.#id, TO_THREAD.resume);
    return super.resume();
  }

  override _read(): void {
    // Bytes are emitted as they arrive.
  }

  /** Completes at once, and every few kilobytes once the socket has taken all of them. */
  override _write(chunk: Buffer, _encoding: string, done: Done): void {
    let hasRoom = true;
    for (let at = 0; at < chunk.length; at += MAX_RECORD_BYTES) {
      const part = at === 0 && chunk.length <= MAX_RECORD_BYTES ? chunk : partOf(chunk, at);
      hasRoom = this.#sender.send(this.#id, TO_THREAD.write, part);
    }
    this.#unflushedBytes += chunk.length;
    if (this.#unflushedBytes >= this.writableHighWaterMark) this.#flush(done);
    else if (hasRoom) done();
    else this.#sender.whenRoom(done);
  }

  #flush(done: Done): void {
    this.#unflushedBytes = 0;
    this.#flushing = done;
    this.#sender.send(this.#id, TO_THREAD.flush);
  }

  override _final(done: Done): void {
    this.#sender.send(this.#id, TO_THREAD.end);
    done();
  }

  override _destroy(error: Error | null, done: Done): void {
    if (!this.#isClosedThere) this.#sender.send(this.#id, TO_THREAD.destroy);
    done(error);
  }
}

function partOf(chunk: Buffer, at: number): Buffer {
  return chunk.subarray(at, at + MAX_RECORD_BYTES);
}
