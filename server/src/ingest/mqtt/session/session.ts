import type { ControlPacket, Fault, Frames, Will } from '../wire/index.ts';
import type { Undelivered } from './deliveries.ts';

/** What is spoken with a client once it has signed in. */
export interface Session {
  /** Takes the PUBLISH at which the frames stand. What follows waits for the promise, if any. */
  publish(frames: Frames, receivedAt: number): Promise<void> | undefined;
  /** Answers anything but messages. Returns why the connection is to be closed, if it is. */
  handlePacket(packet: ControlPacket): Fault | undefined;
  /** Messages that the client has missed. */
  readonly undelivered: Readonly<Record<Undelivered, number>>;
  /** Resolves when every message that was taken is answered. */
  answered(): Promise<void>;
  /** The connection is gone. */
  end(will: Will | null, now: number): void;
}
