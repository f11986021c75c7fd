import type { Clock, Keyring, Outbound } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import type { MailChannel } from './mail-channel.ts';
import { failuresAfter, type Outcome, settle } from './outcome.ts';
import { deliveriesAtOnce, FAILURES_TO_REST, PATIENCE_MS, restUntil } from './retry.ts';
import * as store from './store.ts';
import { postToWebhook } from './webhook-channel.ts';

export interface VisitDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly keyring: Keyring;
  readonly outbound: Outbound;
  readonly mail: MailChannel;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly onSettled: (settled: store.SettledDelivery, now: number) => void;
  readonly failpoint: (name: string) => void;
}

const AT_ONCE_PER_TARGET = 4;
/** After this, others have their turn. Together with one attempt it stays within the lease. */
const TURN_MS = 10_000;

interface Taken {
  readonly target: store.TargetState;
  readonly due: readonly store.DueDelivery[];
}

/** Delivers what is due to one target, a few at a time, until nothing is or its turn is over. */
export async function visit(deps: VisitDeps, name: store.TargetName): Promise<void> {
  const { clock, signal, storage } = deps;
  const turnEndsAt = clock.now() + TURN_MS;
  while (!signal.aborted && clock.now() < turnEndsAt) {
    const taken = await take(deps, name);
    if (!taken || taken.due.length === 0) break;
    const attempts = await Promise.all(
      taken.due.map(async (delivery) => ({
        delivery,
        outcome: await attempt(deps, taken.target, delivery),
      })),
    );
    deps.failpoint('sent');
    // What stopping cut short says nothing; it is sent again, under the same id.
    const isResting = await save(
      deps,
      { name, target: taken.target },
      attempts.filter(({ outcome }) => outcome.error === null || !signal.aborted),
    );
    if (isResting) break;
  }
  await store.releaseTarget(storage, name);
}

function take({ storage, clock }: VisitDeps, name: store.TargetName): Promise<Taken | null> {
  return storage.transaction(async (tx) => {
    const target = await store.lockTarget(tx, name);
    if (!target) return null;
    const now = clock.now();
    if (target.failures >= FAILURES_TO_REST) {
      await store.expireDeliveries(tx, name, now - PATIENCE_MS);
    }
    const most = deliveriesAtOnce(target.failures, AT_ONCE_PER_TARGET);
    const due = await store.listDue(tx, name, { now, most });
    if (due.some(({ id }) => id === target.openDigestId)) await store.closeDigest(tx, name, now);
    return { target, due };
  });
}

async function attempt(
  { clock, mail, outbound, keyring, signal }: VisitDeps,
  target: store.TargetState,
  { id, message }: store.DueDelivery,
): Promise<Outcome> {
  const now = clock.now();
  const attempted =
    target.webhook === null
      ? await mail.send({ deliveryId: id, email: target.email, message })
      : await postToWebhook({ outbound, keyring }, target.webhook, {
          deliveryId: id,
          body: JSON.stringify(message),
          now,
          signal,
        });
  return { ...attempted, durationMs: Math.max(0, clock.now() - now) };
}

async function save(
  { storage, clock, random, onSettled }: VisitDeps,
  { name, target }: { name: store.TargetName; target: store.TargetState },
  attempts: readonly { delivery: store.DueDelivery; outcome: Outcome }[],
): Promise<boolean> {
  const now = clock.now();
  const all = attempts.map(({ delivery, outcome }) => {
    return { delivery, outcome, settled: settle(delivery, outcome, { now, random: random() }) };
  });
  const failures = failuresAfter(
    target.failures,
    attempts.map(({ outcome }) => outcome),
  );
  const asked = attempts.map(({ outcome }) => outcome.askedPauseMs ?? 0);
  const rest = restUntil(failures, now, Math.max(0, ...asked));
  const detail =
    target.webhook === null ? `by mail: ${target.email}` : `by webhook: ${target.webhook.name}`;
  await storage.transaction(async (tx) => {
    await store.saveAttempts(tx, name, all, now);
    await store.saveHealth(tx, name, {
      failures,
      restUntil: rest,
      isRecovered: failures === 0 && target.failures > 0,
      now,
    });
    const deliveryIds = all.flatMap(({ delivery: { id }, settled: { state } }) =>
      state === 'DELIVERED' ? [id] : [],
    );
    await store.logNotified(tx, name, { deliveryIds, detail }, now);
  });
  for (const each of all) onSettled(each, now);
  return rest !== null;
}
