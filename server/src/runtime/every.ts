/** Work that is repeated by time. */
export interface Periodic {
  /** Does nothing when it is started already. */
  start(): void;
  /**
   * Resolves after a run that began after the call; callers at the same time share one. Does nothing
   * while the repetition is not started.
   */
  run(): Promise<void>;
  /** Ends the repetition, and waits for a run in progress. */
  stop(): Promise<void>;
}

/**
 * Runs work every `intervalMs`. Runs never overlap: a tick during a run is skipped. A run that fails
 * is reported and does not end the repetition. The timer does not keep the process alive.
 */
export function every(
  intervalMs: number,
  work: () => Promise<void> | void,
  onError: (error: unknown) => void,
): Periodic {
  let timer: NodeJS.Timeout | undefined;
  let running: Promise<void> | undefined;
  let next: Promise<void> | undefined;

  async function run(): Promise<void> {
    try {
      await work();
    } catch (error) {
      onError(error);
    }
  }

  function begin(): Promise<void> {
    running ??= run().finally(() => {
      running = undefined;
    });
    return running;
  }

  return {
    start() {
      timer ??= setInterval(() => void begin(), intervalMs).unref();
    },
    run() {
      if (timer === undefined) return Promise.resolve();
      next ??= Promise.resolve(running).then(() => {
        next = undefined;
        return timer === undefined ? undefined : begin();
      });
      return next;
    },
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await running;
    },
  };
}
