import type { QoS } from '../wire/index.ts';

/** A published message for the subscribers of its Device. */
export interface Message {
  readonly deviceId: string;
  readonly topic: string;
  /** A copy: the buffer that the message arrived in is far larger than most messages. */
  readonly payload: Buffer;
  readonly qos: QoS;
  readonly isRetained: boolean;
  /** Encoded MQTT 5 properties that are forwarded. */
  readonly properties: Buffer;
  /** When the message is of no use any more, in milliseconds; null when never. */
  readonly expiresAt: number | null;
}
