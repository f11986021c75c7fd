import type { Message } from './message.ts';

/** A message on its way to another node. */
export interface QueuedMessage {
  readonly message: Message;
  /** The message has reached the node, or never will. */
  readonly onPassed: () => void;
}

const MEBIBYTE = 1024 * 1024;
const MAX_QUEUED_MESSAGES = 10_000;
const MAX_QUEUED_BYTES = 4 * MEBIBYTE;
const MAX_BATCH_BYTES = MEBIBYTE;

/** The messages for one other node, in their order, those in flight included. */
export class MessageQueue {
  readonly #messages: QueuedMessage[] = [];
  #bytes = 0;

  get length(): number {
    return this.#messages.length;
  }

  /** False when the queue is full. */
  add(queued: QueuedMessage): boolean {
    const bytes = this.#bytes + sizeOf(queued);
    if (this.length >= MAX_QUEUED_MESSAGES || bytes > MAX_QUEUED_BYTES) return false;
    this.#messages.push(queued);
    this.#bytes = bytes;
    return true;
  }

  /** The first messages, as many as one call carries. They remain until they are removed. */
  batch(): Message[] {
    const batch: Message[] = [];
    let bytes = 0;
    for (const queued of this.#messages) {
      bytes += sizeOf(queued);
      if (batch.length > 0 && bytes > MAX_BATCH_BYTES) break;
      batch.push(queued.message);
    }
    return batch;
  }

  remove(count: number): void {
    for (const queued of this.#messages.splice(0, count)) {
      this.#bytes -= sizeOf(queued);
      queued.onPassed();
    }
  }
}

function sizeOf({ message: { topic, payload, properties } }: QueuedMessage): number {
  return topic.length + payload.length + properties.length;
}
