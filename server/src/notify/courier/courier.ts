import { setTimeout as pause } from 'node:timers/promises';
import type { Clock, Keyring, Log, NewId, Outbound } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { NOTICES_AT_ONCE, tellNext } from '../telling/index.ts';
import { createBell } from './bell.ts';
import { createMailChannel, type MailSettings } from './mail-channel.ts';
import * as store from './store.ts';
import { createTally, type ObserveLag, type Tally } from './tally.ts';
import { visit } from './visit.ts';

export interface CourierDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly newId: NewId;
  readonly keyring: Keyring;
  readonly outbound: Outbound;
  readonly mail: MailSettings;
  readonly observeLag: ObserveLag;
  readonly failpoint: (name: string) => void;
}

/** Brings notices to those who asked for them. */
export interface Courier extends Pick<Tally, 'totals'> {
  start(): void;
  /** There may be something new; without a call it is found within half a second. */
  wake(): void;
  stop(): Promise<void>;
}

const POLL_MS = 500;
/** So that what happens together is told of together, and a storm does not keep the courier running. */
const BREATH_MS = 50;
const AWAY_PAUSE_MS = 2_000;
const TARGETS_AT_ONCE = 24;
/** Longer than a turn and one attempt take. */
const LEASE_MS = 30_000;
/** So that a flood of notices does not keep deliveries waiting. */
const BATCHES_A_TURN = 20;
const SWEEP_EVERY_MS = 3_600_000;
const KEEP_MS = 30 * 24 * 3_600_000;
const SWEPT_AT_ONCE = 10_000;

export function createCourier(deps: CourierDeps): Courier {
  const { storage, clock, log } = deps;
  const mail = createMailChannel(deps.mail);
  const stopping = new AbortController();
  const visits = new Set<Promise<void>>();
  const tally = createTally(deps.observeLag);
  const bell = createBell();
  let sweptAt = clock.now();
  let running: Promise<void> | undefined;

  function begin(name: store.TargetName): void {
    const { signal } = stopping;
    const visiting = visit(
      { ...deps, mail, random: Math.random, signal, onSettled: tally.count },
      name,
    )
      .catch((error: unknown) => log.warn({ err: error }, 'a visit to a target was cut short'))
      .finally(() => {
        visits.delete(visiting);
        bell.ring();
      });
    visits.add(visiting);
  }

  async function turn(): Promise<boolean> {
    await tellAll(deps, stopping.signal);
    const now = clock.now();
    const most = TARGETS_AT_ONCE - visits.size;
    const leased =
      most > 0 ? await store.leaseTargets(storage, { now, until: now + LEASE_MS, most }) : [];
    leased.forEach(begin);
    if (now - sweptAt >= SWEEP_EVERY_MS) {
      sweptAt = now;
      await store.sweep(storage, now - KEEP_MS, SWEPT_AT_ONCE);
    }
    return leased.length > 0;
  }

  async function run(): Promise<void> {
    while (!stopping.signal.aborted) {
      try {
        if (!(await turn())) await bell.wait(POLL_MS);
        await pause(BREATH_MS);
      } catch (error) {
        log.warn({ err: error }, 'notices could not be delivered yet');
        await bell.wait(AWAY_PAUSE_MS);
      }
    }
    await Promise.all(visits);
  }

  return {
    start() {
      running ??= run();
    },
    wake: bell.ring,
    totals: tally.totals,
    async stop() {
      stopping.abort();
      mail.stop();
      bell.ring();
      await running;
    },
  };
}

/** Makes deliveries of all that waits to be told, as far as one turn goes. */
async function tellAll(deps: CourierDeps, signal: AbortSignal): Promise<void> {
  for (let batch = 0; batch < BATCHES_A_TURN && !signal.aborted; batch += 1) {
    const count = await tellNext(deps, deps.clock.now());
    if (count > 0) deps.failpoint('told');
    if (count < NOTICES_AT_ONCE) return;
  }
}
