import { setTimeout as pause } from 'node:timers/promises';
import {
  type Clock,
  type Keyring,
  type Log,
  momentOf,
  type NewId,
  type Outbound,
} from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { dispatchNext, NOTIFICATION_BATCH_SIZE, type PageHooks } from '../fan-out/index.ts';
import type { PushKeys } from '../push/index.ts';
import { createAlignedClock } from './aligned-clock.ts';
import { type Counters, createCounters, type ObserveLag } from './counters.ts';
import { deliverTo } from './deliver.ts';
import { idleMs } from './idle.ts';
import { createLeases } from './leases/index.ts';
import type { UnsubscribeUrl } from './letter.ts';
import { createMailChannel, type MailSettings } from './mail-channel.ts';
import { createRefresh } from './refresh/index.ts';
import * as store from './store.ts';
import { createWakeableSleep } from './wakeable-sleep.ts';

export interface WorkerDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly outbound: Outbound;
  readonly mail: MailSettings;
  readonly unsubscribeUrl: UnsubscribeUrl;
  readonly pushKeys: PushKeys;
  readonly observeLag: ObserveLag;
  readonly pages: PageHooks;
  readonly failpoint: (name: string) => void;
}

/** Turns notifications into deliveries, and sends these. */
export interface DeliveryWorker extends Pick<Counters, 'totals'> {
  start(): void;
  /** There may be something new; without a call it is found within a second. */
  wake(): void;
  /** When the last turn ended that did not fail, by the monotonic clock; at first, the start. */
  lastTurnAt(): number;
  stop(): Promise<void>;
}

/** Events of the same moment are fanned out together, and a storm does not keep the worker busy. */
const BATCH_DELAY_MS = 50;
const UNAVAILABLE_PAUSE_MS = 2_000;
/** Many notifications at a time do not keep deliveries waiting. */
const BATCHES_PER_TURN = 20;
const CLEANUP_INTERVAL_MS = 3_600_000;
/** Finished deliveries are kept for this time. */
export const DELIVERY_RETENTION_MS = 30 * 24 * 3_600_000;
const CLEANUP_BATCH_SIZE = 10_000;

export function createDeliveryWorker(deps: WorkerDeps): DeliveryWorker {
  const { storage, clock, log } = deps;
  const channels = channelsOf(deps);
  const stopping = new AbortController();
  const { signal } = stopping;
  const counters = createCounters(deps.observeLag);
  const sleep = createWakeableSleep();
  const alignLeases = (now: number) => leases.align(now);
  const alignedClock = createAlignedClock({ storage, clock, alignLeases });
  const onAttempted = counters.count;
  const sending = { ...deps, ...channels, alignedClock, signal, random: Math.random, onAttempted };
  const leases = createLeases({
    storage,
    log,
    serve: (name) => deliverTo(sending, name),
    onServed: sleep.wake,
  });
  const refresh = createRefresh({ ...deps, ...channels, signal });
  const cleanUp = createCleanUp(deps);
  let lastTurnAt = clock.elapsed();
  let running: Promise<void> | undefined;

  /** Returns for how long there is nothing to do. */
  async function turn(): Promise<number> {
    await alignedClock.now();
    await dispatchAll(deps, signal);
    const now = await alignedClock.now();
    const nextPageAt = await deps.pages.runDue(now);
    const elapsed = clock.elapsed();
    const leased = await leases.next({ now, elapsed });
    refresh.next({ now, elapsed });
    await cleanUp();
    return leased > 0 ? 0 : idleMs(nextPageAt, clock.now(), BATCH_DELAY_MS);
  }

  async function run(): Promise<void> {
    while (!signal.aborted) {
      try {
        const pauseMs = await turn();
        lastTurnAt = clock.elapsed();
        if (pauseMs > 0) await sleep.sleep(pauseMs);
        await pause(BATCH_DELAY_MS);
      } catch (error) {
        log.warn({ err: error }, 'notifications could not be delivered; trying again');
        await sleep.sleep(UNAVAILABLE_PAUSE_MS);
      }
    }
    await Promise.all([leases.served(), refresh.done()]);
  }

  return {
    start() {
      lastTurnAt = clock.elapsed();
      running ??= run();
    },
    wake: sleep.wake,
    lastTurnAt: () => lastTurnAt,
    totals: counters.totals,
    async stop() {
      stopping.abort();
      sleep.wake();
      await running;
    },
  };
}

/** Deletes finished deliveries after a time. */
function createCleanUp({ storage, clock, pages }: Pick<WorkerDeps, 'storage' | 'clock' | 'pages'>) {
  let cleanedAt = clock.elapsed();
  return async (): Promise<void> => {
    const { now, elapsed } = momentOf(clock);
    if (elapsed - cleanedAt < CLEANUP_INTERVAL_MS) return;
    cleanedAt = elapsed;
    await store.deleteFinished(storage, now - DELIVERY_RETENTION_MS, CLEANUP_BATCH_SIZE);
    await pages.deleteOld(now);
  };
}

function channelsOf({ mail: settings, unsubscribeUrl, pushKeys: keys }: WorkerDeps) {
  const { publicUrl, smtp } = settings;
  const sender = smtp === null ? null : `mailto:${smtp.from}`;
  // A push service can ask the operator about messages: at the console, or at the sender of mail.
  const contact = publicUrl?.startsWith('https:') ? publicUrl : sender;
  const mail = createMailChannel({ settings, unsubscribeUrl });
  return { mail, publicUrl, push: { keys, contact } };
}

/** Dispatches the notifications of the outbox, a limited number of batches per turn. */
async function dispatchAll(deps: WorkerDeps, signal: AbortSignal): Promise<void> {
  for (let batch = 0; batch < BATCHES_PER_TURN && !signal.aborted; batch += 1) {
    const count = await dispatchNext(deps, deps.clock.now());
    if (count > 0) deps.failpoint('dispatched');
    if (count < NOTIFICATION_BATCH_SIZE) return;
  }
}
