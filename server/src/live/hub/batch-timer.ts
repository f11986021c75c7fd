/** Does something soon when it is due, and not more often than the pace allows. */
export interface Pace {
  /** It is due: at once when it was not done just now. */
  arm(): void;
  close(): void;
}

/** The work answers whether it is due again. */
export function createPace(everyMs: number, work: () => boolean): Pace {
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
