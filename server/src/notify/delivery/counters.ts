import type { SettledDelivery } from './store.ts';

/** What attempts came to since the start. */
export interface Counters {
  count(settled: SettledDelivery, now: number): void;
  totals(): Readonly<Record<'delivered' | 'failed' | 'retried', number>>;
}

/** Is told of each delivery how long it took, from what happened on. */
export type ObserveLag = (seconds: number) => void;

export function createCounters(observeLag: ObserveLag): Counters {
  const totals = { delivered: 0, failed: 0, retried: 0 };
  return {
    count({ delivery, settled }, now) {
      if (settled.state === 'DELIVERED') {
        totals.delivered += 1;
        observeLag(Math.max(0, now - Date.parse(delivery.message.timestamp)) / 1000);
      } else if (settled.state === 'FAILED') totals.failed += 1;
      else totals.retried += 1;
    },
    totals: () => totals,
  };
}
