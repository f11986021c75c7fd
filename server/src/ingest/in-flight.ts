import { createDeferred } from '../runtime/index.ts';

/** Counts messages in flight, so that a stop can wait for them. */
export interface InFlightCounter {
  /** False once the counter is closed. */
  begin(): boolean;
  end(): void;
  /** Resolves when every message that had begun has ended. */
  close(): Promise<void>;
}

export function createInFlightCounter(): InFlightCounter {
  let count = 0;
  let closing: { readonly ended: Promise<void>; resolve(): void } | undefined;
  return {
    begin() {
      if (closing) return false;
      count += 1;
      return true;
    },
    end() {
      count -= 1;
      if (count === 0) closing?.resolve();
    },
    close() {
      if (!closing) {
        const { promise, resolve } = createDeferred<void>();
        closing = { ended: promise, resolve };
        if (count === 0) resolve();
      }
      return closing.ended;
    },
  };
}
