import { type Clock, ClockSteps } from '../../runtime/index.ts';
import type { Transactions } from '../../storage/index.ts';
import { SMTP_LIMITS } from './smtp.ts';
import { resumeDeliveries, shiftDeliveries } from './store.ts';

/** Keeps what waits to be delivered in step with the clock, when somebody sets it. */
export interface AlignedClock {
  /**
   * The time, once what is stored is aligned with it. Nothing is sent by another: by a clock that was
   * set forward, the claim on a mail would seem to have ended. What a failure leaves undone is done by
   * the next call. Never called within a transaction.
   */
  now(): Promise<number>;
}

interface AlignedClockDeps {
  readonly storage: Transactions;
  readonly clock: Clock;
  readonly alignLeases: (now: number) => Promise<void>;
}

const CLAIM_MS = SMTP_LIMITS.contentMs;

export function createAlignedClock({
  storage,
  clock,
  alignLeases,
}: AlignedClockDeps): AlignedClock {
  const steps = new ClockSteps(clock);
  let isStarted = false;
  /** Steps that are not stored yet. */
  let pendingMs = 0;
  let aligning: Promise<void> | undefined;

  async function align(now: number): Promise<void> {
    const stepMs = pendingMs;
    const change = { now, claimMs: CLAIM_MS };
    await alignLeases(now);
    await storage.transaction((tx) =>
      isStarted ? shiftDeliveries(tx, change, stepMs) : resumeDeliveries(tx, change),
    );
    isStarted = true;
    pendingMs -= stepMs;
  }

  return {
    async now() {
      for (;;) {
        const { now, stepMs } = steps.read();
        pendingMs += stepMs;
        if (isStarted && pendingMs === 0 && aligning === undefined) return now;
        aligning ??= align(now).finally(() => {
          aligning = undefined;
        });
        await aligning;
      }
    },
  };
}
