import type { AttemptedDelivery } from './store.ts';

/** Attempts since the start, by their results. */
export interface Counters {
  count(result: AttemptedDelivery, now: number): void;
  totals(): Readonly<Record<'delivered' | 'failed' | 'retried', number>>;
}

/** Records the time from a change of an alarm event to its delivery. */
export type ObserveLag = (seconds: number) => void;

export function createCounters(observeLag: ObserveLag): Counters {
  const totals = { delivered: 0, failed: 0, retried: 0 };
  return {
    count({ delivery, result }, now) {
      if (result.state === 'DELIVERED') {
        totals.delivered += 1;
        observeLag(Math.max(0, now - Date.parse(delivery.message.timestamp)) / 1000);
      } else if (result.state === 'FAILED') totals.failed += 1;
      else totals.retried += 1;
    },
    totals: () => totals,
  };
}
