import type { SettledDelivery } from './store.ts';

/** What deliveries came to since the start. */
export interface Tally {
  count(settled: SettledDelivery, now: number): void;
  totals(): Readonly<Record<'delivered' | 'failed' | 'retried', number>>;
  /** From what happened to its delivery, of the latest that was delivered. */
  lagSeconds(): number;
}

export function createTally(): Tally {
  const totals = { delivered: 0, failed: 0, retried: 0 };
  let lagMs = 0;
  return {
    count({ delivery, settled }, now) {
      if (settled.state === 'DELIVERED') {
        totals.delivered += 1;
        lagMs = Math.max(0, now - Date.parse(delivery.message.timestamp));
      } else if (settled.state === 'FAILED') totals.failed += 1;
      else totals.retried += 1;
    },
    totals: () => totals,
    lagSeconds: () => lagMs / 1000,
  };
}
