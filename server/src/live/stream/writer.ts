import { Readable } from 'node:stream';
import type { Clock } from '../../runtime/index.ts';
import type { LiveLimits } from '../limits.ts';
import { HEARTBEAT } from './text.ts';

/** Text to one reader, who takes it as fast as he can. */
export interface Writer {
  readonly readable: Readable;
  /** Whether the reader has taken what was written. Writing before would pile up. */
  isReady(): boolean;
  write(text: string): void;
  /** Nothing comes after this; a reader who does not take it is cut off. */
  finish(text: string): void;
  /** Breaks a silence that is too long, and with a reader who is gone. */
  tick(now: number): void;
}

export interface WriterDeps {
  readonly clock: Clock;
  readonly limits: Pick<LiveLimits, 'heartbeatMs' | 'stalledMs' | 'endMs'>;
  readonly onReady: () => void;
  /** Nobody reads any more. */
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
      const patienceMs = isFinished ? limits.endMs : limits.stalledMs;
      if (stalledSince !== null && now - stalledSince >= patienceMs) readable.destroy();
      if (isReady && !isFinished && now - sentAt >= limits.heartbeatMs) write(HEARTBEAT);
    },
  };
}
