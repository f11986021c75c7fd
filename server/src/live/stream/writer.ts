import { Readable } from 'node:stream';
import type { Clock } from '../../runtime/index.ts';
import type { LiveLimits } from '../limits.ts';
import { HEARTBEAT } from './text.ts';

/** Writes text to one client, as fast as it reads. */
export interface Writer {
  readonly readable: Readable;
  /** Whether the client has read the previous text. Earlier writes would fill memory. */
  isReady(): boolean;
  write(text: string): void;
  /** Writes the last text; the connection of a client that does not read it is closed. */
  finish(text: string): void;
  /** Sends heartbeats, and closes the connection of a client that reads nothing. */
  tick(now: number): void;
}

export interface WriterDeps {
  readonly clock: Clock;
  readonly limits: Pick<LiveLimits, 'heartbeatMs' | 'stalledMs' | 'endMs'>;
  readonly onReady: () => void;
  /** Called when the connection is closed. */
  readonly onClosed: () => void;
}

const HIGH_WATER_BYTES = 16 * 1024;

export function createWriter({ clock, limits, onReady, onClosed }: WriterDeps): Writer {
  let isReady = false;
  let isFinished = false;
  let sentAt = clock.now();
  let stalledSince: number | null = null;
  const readable = new Readable({
    highWaterMark: HIGH_WATER_BYTES,
    read() {
      isReady = true;
      onReady();
    },
    destroy(error, done) {
      isFinished = true;
      onClosed();
      done(error);
    },
  });

  function write(text: string): void {
    if (isFinished) return;
    isReady = false;
    sentAt = clock.now();
    readable.push(text);
  }

  return {
    readable,
    isReady: () => isReady && !isFinished,
    write,
    finish(text) {
      if (isFinished) return;
      write(text);
      isFinished = true;
      readable.push(null);
    },
    tick(now) {
      stalledSince = isReady ? null : (stalledSince ?? now);
      const timeoutMs = isFinished ? limits.endMs : limits.stalledMs;
      if (stalledSince !== null && now - stalledSince >= timeoutMs) readable.destroy();
      if (isReady && !isFinished && now - sentAt >= limits.heartbeatMs) write(HEARTBEAT);
    },
  };
}
