import type { Log } from './log.ts';

/** What was started, to be stopped in the reverse order, once. */
export interface Lifecycle {
  /** Registers how to stop something that now runs. */
  onStop(what: string, stop: () => Promise<void>): void;
  stop(): Promise<void>;
}

export function createLifecycle(log: Log): Lifecycle {
  const stops: { what: string; stop: () => Promise<void> }[] = [];
  let stopping: Promise<void> | undefined;

  async function stopAll(): Promise<void> {
    for (const { what, stop } of stops.reverse()) {
      try {
        await stop();
        log.debug({ what }, 'stopped');
      } catch (error) {
        log.error({ err: error, what }, 'could not be stopped cleanly');
      }
    }
  }

  return {
    onStop(what, stop) {
      stops.push({ what, stop });
    },
    stop() {
      stopping ??= stopAll();
      return stopping;
    },
  };
}
