/** Runs work soon after it was requested, and at most once per interval. */
export interface BatchTimer {
  /** Requests a run: at once, or at the end of the current interval. */
  arm(): void;
  close(): void;
}

/** The work returns whether it requests another run. */
export function createBatchTimer(everyMs: number, work: () => boolean): BatchTimer {
  let isDue = false;
  let isClosed = false;
  let timer: NodeJS.Timeout | undefined;

  function turn(): void {
    if (!isDue || isClosed) return;
    timer = setTimeout(() => {
      timer = undefined;
      turn();
    }, everyMs);
    timer.unref();
    isDue = false;
    if (work()) isDue = true;
  }

  return {
    arm() {
      if (isDue) return;
      isDue = true;
      if (timer === undefined) setImmediate(turn);
    },
    close() {
      isClosed = true;
      clearTimeout(timer);
    },
  };
}
