import { setTimeout as pause } from 'node:timers/promises';
import {
  type Clock,
  isServiceUnavailable,
  type Keyring,
  type Log,
  type Outbound,
  startSpan,
} from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';
import { type NextContactDeps, useNextContacts } from '../next-contact/index.ts';
import { deleteGone } from '../push/index.ts';
import { handleUndelivered } from '../receipts/index.ts';
import type { AlignedClock } from './aligned-clock.ts';
import type { TargetName } from './leases/index.ts';
import type { MailChannel } from './mail-channel.ts';
import { failuresAfter, type Outcome, resultOf } from './outcome.ts';
import { sendToPhone } from './phone-channel.ts';
import { isGone, type PushChannel, sendPush } from './push-channel.ts';
import {
  circuitOpenUntil,
  FAILURES_TO_OPEN_CIRCUIT,
  maxConcurrentDeliveries,
  RETRY_TIMEOUT_MS,
} from './retry.ts';
import { SMTP_LIMITS } from './smtp.ts';
import * as store from './store.ts';
import { lockTarget, type TargetState } from './targets/index.ts';
import { type Attempted, postToWebhook } from './webhook-channel.ts';

export interface DeliverDeps extends NextContactDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly alignedClock: AlignedClock;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly outbound: Outbound;
  readonly mail: MailChannel;
  /** Where the console is. */
  readonly publicUrl: string | null;
  readonly push: Omit<PushChannel, 'outbound'>;
  /** From 0 up to 1. */
  readonly random: () => number;
  readonly signal: AbortSignal;
  readonly onAttempted: (result: store.AttemptedDelivery, now: number) => void;
  readonly failpoint: (name: string) => void;
}

const MAX_CONCURRENT_POSTS = 4;
/** After this, others have their turn. */
const TURN_MS = 10_000;
const FIRST_SAVE_PAUSE_MS = 250;
const MAX_SAVE_PAUSE_MS = 5_000;

interface Taken {
  readonly target: TargetState;
  readonly due: readonly store.DueDelivery[];
}

interface Attempt {
  readonly delivery: store.DueDelivery;
  readonly outcome: Outcome;
}

/** Delivers what is due to one target, a few at a time, until nothing is or its turn is over. */
export async function deliverTo(deps: DeliverDeps, name: TargetName): Promise<void> {
  const { clock, signal } = deps;
  const turnEndsAt = clock.elapsed() + TURN_MS;
  while (!signal.aborted && clock.elapsed() < turnEndsAt) {
    const taken = await take(deps, name);
    if (!taken || taken.due.length === 0) return;
    const attempts = await Promise.all(
      taken.due.map((delivery) => attempt(deps, { name, target: taken.target, delivery })),
    );
    deps.failpoint('sent');
    // An attempt that a stop cut short has no outcome; it is repeated under the same id.
    const known = attempts.flatMap((each) =>
      each && (!signal.aborted || isKnown(each.outcome)) ? [each] : [],
    );
    if (known.length === 0) return;
    const isCircuitOpen = await saveUntilStored(deps, { name, target: taken.target }, known);
    if (isCircuitOpen) return;
  }
}

function isKnown({ error, status }: Outcome): boolean {
  return error === null || status !== null;
}

async function take(
  { storage, alignedClock }: DeliverDeps,
  name: TargetName,
): Promise<Taken | null> {
  const now = await alignedClock.now();
  return await storage.transaction(async (tx) => {
    const target = await lockTarget(tx, name);
    if (!target) return null;
    if (target.failures >= FAILURES_TO_OPEN_CIRCUIT) {
      await store.expireDeliveries(tx, name, now - RETRY_TIMEOUT_MS);
    }
    // Mail and texts go one by one: in order, and over few connections.
    const isOrdered = target.email !== null || target.phone !== null;
    const max = isOrdered ? 1 : maxConcurrentDeliveries(target.failures, MAX_CONCURRENT_POSTS);
    const due = await store.listDue(tx, name, { now, max });
    if (due.some(({ id }) => id === target.openDigestId)) await store.closeDigest(tx, name, now);
    return { target, due };
  });
}

async function attempt(
  deps: DeliverDeps,
  parts: { name: TargetName; target: TargetState; delivery: store.DueDelivery },
): Promise<Attempt | null> {
  const { clock } = deps;
  const began = clock.elapsed();
  const attempted = await traced(parts, () => send(deps, parts));
  if (attempted === null) return null;
  const durationMs = Math.round(clock.elapsed() - began);
  return { delivery: parts.delivery, outcome: { ...attempted, durationMs } };
}

/** The URL of a webhook may hold a token, so a span names its delivery alone. */
async function traced(
  { target, delivery }: { target: TargetState; delivery: store.DueDelivery },
  work: () => Promise<Attempted | null>,
): Promise<Attempted | null> {
  const channel = channelOf(target);
  const attributes = { 'fieldwatch.delivery.id': delivery.id };
  const span = startSpan(`deliver by ${channel}`, { kind: 'CLIENT', attributes });
  let failure: unknown = 'INTERRUPTED';
  try {
    const attempted = await span.within(work);
    const status = attempted?.status ?? null;
    if (status !== null) span.set({ 'http.response.status_code': status });
    failure = attempted?.error ? String(status ?? 'NO_ANSWER') : undefined;
    return attempted;
  } finally {
    span.end(failure);
  }
}

/** By the channel of the target. Null when this attempt was not the one to send the message. */
async function send(
  deps: DeliverDeps,
  {
    name,
    target,
    delivery,
  }: { name: TargetName; target: TargetState; delivery: store.DueDelivery },
): Promise<Attempted | null> {
  const { storage, clock, mail, outbound, keyring, push, signal, failpoint } = deps;
  const { id: deliveryId, message } = delivery;
  const now = clock.now();
  if (target.push !== null) {
    return await sendPush({ ...push, outbound }, target.push, { message, now, signal });
  }
  const { organizationId, id: targetId } = name;
  if (target.phone !== null) {
    const { attempts } = delivery;
    const sending = { organizationId, deliveryId, attempts, message, now, signal };
    return await sendToPhone(deps, target.phone, sending);
  }
  if (target.webhook !== null) {
    const channel = { outbound, keyring, publicUrl: deps.publicUrl };
    return await postToWebhook(channel, target.webhook, { deliveryId, message, now, signal });
  }
  const claim = async () => {
    const claimedAt = await deps.alignedClock.now();
    const until = claimedAt + SMTP_LIMITS.contentMs;
    const isClaimed = await store.claimAttempt(storage, name, delivery, { now: claimedAt, until });
    failpoint('claimed');
    return isClaimed;
  };
  const { email } = target;
  return await mail.send({ deliveryId, organizationId, targetId, email, message, claim, signal });
}

/**
 * Saves outcomes again and again until storage takes them: what was sent is not sent again because
 * storage was unavailable meanwhile. A stop of the server ends this.
 */
async function saveUntilStored(
  deps: DeliverDeps,
  target: { name: TargetName; target: TargetState },
  attempts: readonly Attempt[],
): Promise<boolean> {
  let pauseMs = FIRST_SAVE_PAUSE_MS;
  const save = saverOf(deps, target, attempts);
  for (;;) {
    try {
      return await save();
    } catch (error) {
      if (!isServiceUnavailable(error) || deps.signal.aborted) throw error;
    }
    await pause(pauseMs, undefined, { signal: deps.signal }).catch(() => undefined);
    pauseMs = Math.min(2 * pauseMs, MAX_SAVE_PAUSE_MS);
  }
}

function channelOf({ webhook, push, phone }: TargetState): string {
  if (webhook) return 'webhook';
  if (push) return 'web push';
  return phone ? phone.kind.toLowerCase() : 'mail';
}

/** How the log of an event names the target. */
function detailOf({ email, webhook, push, phone }: TargetState): string {
  if (phone) return `by ${phone.kind === 'SMS' ? 'SMS' : 'call'}: ${phone.number}`;
  if (webhook) return `by webhook: ${webhook.name}`;
  return push ? `by web push: ${push.name}` : `by mail: ${email}`;
}

/** Decides once what becomes of the attempts; what it returns saves that, and may be repeated. */
function saverOf(
  deps: DeliverDeps,
  { name, target }: { name: TargetName; target: TargetState },
  attempts: readonly Attempt[],
): () => Promise<boolean> {
  const { storage, clock, log, random, onAttempted } = deps;
  const now = clock.now();
  const all = attempts.map(({ delivery, outcome }) => {
    return { delivery, outcome, result: resultOf(delivery, outcome, { now, random: random() }) };
  });
  const failures = failuresAfter(
    target.failures,
    attempts.map(({ outcome }) => outcome),
  );
  const asked = attempts.map(({ outcome }) => outcome.requestedPauseMs ?? 0);
  const rest = circuitOpenUntil(failures, now, Math.max(0, ...asked));
  const isRecovered = failures === 0 && target.failures > 0;
  const detail = detailOf(target);
  const isEnded = attempts.some(({ outcome }) => isGone(outcome.status));
  return async () => {
    await storage.transaction(async (tx) => {
      const saved = await store.saveAttempts(tx, name, all, now);
      await store.saveHealth(tx, name, { failures, circuitOpenUntil: rest, isRecovered, now });
      const deliveryIds = all.flatMap(({ delivery: { id }, result: { state } }) =>
        state === 'DELIVERED' && saved.has(id) ? [id] : [],
      );
      await store.logNotified(tx, name, { deliveryIds, detail }, now);
      // A service may have reported before its answer was saved.
      if (target.phone) await handleUndelivered(tx, deps, name.organizationId, deliveryIds, now);
      const failedIds = all.flatMap(({ delivery: { id }, result: { state } }) =>
        state === 'FAILED' && saved.has(id) ? [id] : [],
      );
      await useNextContacts(tx, deps, name.organizationId, failedIds, now);
      if (target.push && isEnded) await deleteGone(tx, name.organizationId, target.push);
    });
    for (const each of all) onAttempted(each, now);
    const fields = { organizationId: name.organizationId, targetId: name.id, failures };
    if (isRecovered && target.failures >= FAILURES_TO_OPEN_CIRCUIT) {
      log.info(
        { ...fields, failures: target.failures },
        'a notification target is available again',
      );
    } else if (target.failures < FAILURES_TO_OPEN_CIRCUIT && failures >= FAILURES_TO_OPEN_CIRCUIT) {
      const error = all.at(-1)?.outcome.error;
      log.warn({ ...fields, error }, 'a notification target is unavailable');
    }
    return rest !== null;
  };
}
