import type { Log } from './log.ts';

/** Reports in the log when something that the server needs becomes unavailable, and available again. */
export interface AvailabilityLog {
  failed(error: unknown): void;
  succeeded(): void;
}

const REPORT_INTERVAL_MS = 60_000;

/** One line for each change, and while it lasts one a minute with what failed since. */
export function createAvailabilityLog(
  log: Log,
  what: string,
  now: () => number = () => performance.now(),
): AvailabilityLog {
  let outage: { readonly since: number; reportedAt: number; failures: number } | undefined;
  const seconds = (since: number) => Math.round((now() - since) / 1000);
  return {
    failed(error) {
      if (!outage) {
        outage = { since: now(), reportedAt: now(), failures: 1 };
        log.warn({ err: error }, `${what} is unavailable`);
        return;
      }
      outage.failures += 1;
      if (now() - outage.reportedAt < REPORT_INTERVAL_MS) return;
      outage.reportedAt = now();
      const { since, failures } = outage;
      log.warn({ seconds: seconds(since), failures }, `${what} is still unavailable`);
    },
    succeeded() {
      if (!outage) return;
      const { since, failures } = outage;
      outage = undefined;
      log.info({ seconds: seconds(since), failures }, `${what} is available again`);
    },
  };
}
