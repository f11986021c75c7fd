/** Work that is repeated by time. */
export interface Periodic {
  /** Does nothing when it is started already. */
  start(): void;
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

  async function run(): Promise<void> {
    try {
      await work();
    } catch (error) {
      onError(error);
    }
  }

  return {
    start() {
      timer ??= setInterval(() => {
        running ??= run().finally(() => {
          running = undefined;
        });
      }, intervalMs).unref();
    },
    async stop() {
      clearInterval(timer);
      timer = undefined;
      await running;
    },
  };
}
