import type { ControlPacket, Fault, Frames, Will } from '../wire/index.ts';
import type { Undelivered } from './deliveries.ts';

/** The packets of a client after it has signed in. */
export interface Session {
  /** Handles the current PUBLISH of the frames. Later packets wait for the promise, if any. */
  publish(frames: Frames, receivedAt: number): Promise<void> | undefined;
  /** Handles any packet but PUBLISH. Returns the reason to close the connection, if there is one. */
  handlePacket(packet: ControlPacket): Fault | undefined;
  /** Messages that the client has missed. */
  readonly undelivered: Readonly<Record<Undelivered, number>>;
  /** Resolves when every accepted message is acknowledged. */
  answered(): Promise<void>;
  /** Called when the connection is closed. */
  end(will: Will | null, now: number): void;
}
