import { deserialize, serialize } from 'node:v8';
import type { Message } from './message.ts';

/** The Devices with subscribers at the node that sends the report. */
export interface SubscriptionReport {
  /** Identifies the start of that node. */
  readonly epoch: number;
  /** Ascending within a start: a report that was overtaken by a later one is ignored. */
  readonly sequence: number;
  /** True when `subscribed` replaces all earlier reports. */
  readonly isFull: boolean;
  readonly subscribed: readonly string[];
  readonly unsubscribed: readonly string[];
}

/** Messages that one node passes to another. */
export interface MessageBatch {
  readonly epoch: number;
  /** Ascending within a start: a batch that is sent again has the same number. */
  readonly sequence: number;
  readonly messages: readonly Message[];
}

/** With the time that is left instead of a time of day: the clocks of nodes may differ. */
type EncodedMessage = Omit<Message, 'expiresAt'> & { readonly leftMs: number | null };
type EncodedBatch = Omit<MessageBatch, 'messages'> & {
  readonly messages: readonly EncodedMessage[];
};

export const encodeReport = (report: SubscriptionReport): Buffer =>
  Buffer.from(JSON.stringify(report));

export const decodeReport = (bytes: Buffer): SubscriptionReport => JSON.parse(bytes.toString());

export function encodeBatch({ messages, ...batch }: MessageBatch, now: number): Buffer {
  const encoded: EncodedBatch = {
    ...batch,
    messages: messages.map(({ expiresAt, ...message }) => ({
      ...message,
      leftMs: expiresAt === null ? null : expiresAt - now,
    })),
  };
  return serialize(encoded);
}

export function decodeBatch(bytes: Buffer, now: number): MessageBatch {
  const { messages, ...batch }: EncodedBatch = deserialize(bytes);
  return {
    ...batch,
    messages: messages.map(({ leftMs, ...message }) => ({
      ...message,
      expiresAt: leftMs === null ? null : now + leftMs,
    })),
  };
}
