import type { ClockMoment } from '../../runtime/index.ts';
import type { Transactions } from '../../storage/index.ts';
import type { Leases } from './leases/index.ts';
import { SMTP_LIMITS } from './smtp.ts';
import { resumeDeliveries, shiftDeliveries } from './store.ts';

/** Keeps what waits to be delivered in step with the clock, when somebody sets it. */
export interface ClockAlignment {
  /** Must succeed before anything is delivered; what a failure leaves undone is done by the next. */
  align(moment: ClockMoment): Promise<void>;
}

export function createClockAlignment({
  storage,
  leases,
}: {
  readonly storage: Transactions;
  readonly leases: Leases;
}): ClockAlignment {
  const claimMs = SMTP_LIMITS.contentMs;
  let isStarted = false;
  /** Steps that could not be stored yet. */
  let pendingMs = 0;
  return {
    async align(moment) {
      const { now } = moment;
      pendingMs += moment.stepMs;
      const stepMs = pendingMs;
      if (isStarted && stepMs === 0) return;
      await leases.align(now);
      await storage.transaction((tx) =>
        isStarted
          ? shiftDeliveries(tx, { now, claimMs }, stepMs)
          : resumeDeliveries(tx, { now, claimMs }),
      );
      isStarted = true;
      pendingMs = 0;
    },
  };
}
