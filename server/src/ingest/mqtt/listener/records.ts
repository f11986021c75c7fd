import type { RingMemory } from './ring.ts';

/** The kinds of records about a connection, from the thread that has its socket to the main thread. */
export const FROM_THREAD = {
  /** Its content is the address of the client. */
  opened: 1,
  received: 2,
  /** All bytes before `flush` are on their way. */
  flushed: 3,
  closed: 4,
} as const;

/** Those from the main thread. */
export const TO_THREAD = {
  write: 1,
  flush: 2,
  pause: 3,
  resume: 4,
  end: 5,
  destroy: 6,
} as const;

/** What the main thread gives the other at its start. */
export interface ThreadOptions {
  readonly host: string;
  readonly port: number;
  readonly maxConnections: number;
  readonly fromThread: RingMemory;
  readonly toThread: RingMemory;
}

/** The thread listens, or could not. */
export type Bound = { readonly port: number } | { readonly failure: NodeJS.ErrnoException };

/** Messages beside the rings. The one that wakes a thread has no content. */
export const WAKE = null;
export const STOP_LISTENING = 'stop';
