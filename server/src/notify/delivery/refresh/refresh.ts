import type { ClockMoment, Keyring, Log, Outbound } from '../../../runtime/index.ts';
import type { Storage } from '../../../storage/index.ts';
import { alertsRequest } from '../formats/index.ts';
import { credentialOf, postRequest } from '../webhook-channel.ts';
import * as store from './store.ts';

export interface RefreshDeps {
  readonly storage: Storage;
  readonly log: Log;
  readonly keyring: Keyring;
  readonly outbound: Outbound;
  readonly publicUrl: string | null;
  readonly signal: AbortSignal;
}

/** An Alertmanager takes an alert for resolved that it did not receive for five minutes. */
const REFRESH_INTERVAL_MS = 4 * 60_000;
const RETRY_MS = 30_000;
/** Mostly nothing is due, so it is asked for less often than deliveries are. */
const POLL_MS = 5_000;
const MAX_WEBHOOKS = 20;
const ALERTS_PER_POST = 200;
const MAX_POSTS = 50;
const FIRST_ID = '00000000-0000-0000-0000-000000000000';

/** Sends open events to Alertmanagers again, for as long as they are open. */
export interface Refresh {
  /** Begins what is due, and does not wait for it. */
  next(moment: Pick<ClockMoment, 'now' | 'elapsed'>): void;
  /** Resolves when nothing is sent any more. */
  done(): Promise<void>;
}

export function createRefresh(deps: RefreshDeps): Refresh {
  let running: Promise<void> | undefined;
  /** By the monotonic clock. */
  let polledAt = Number.NEGATIVE_INFINITY;
  return {
    next({ now, elapsed }) {
      if (elapsed - polledAt < POLL_MS) return;
      polledAt = elapsed;
      running ??= refreshAll(deps, now)
        .catch((error: unknown) => deps.log.warn({ err: error }, 'alerts could not be refreshed'))
        .finally(() => {
          running = undefined;
        });
    },
    async done() {
      await running;
    },
  };
}

async function refreshAll(deps: RefreshDeps, now: number): Promise<void> {
  const claim = { now, intervalMs: REFRESH_INTERVAL_MS, max: MAX_WEBHOOKS };
  const webhooks = await store.claimWebhooks(deps.storage, claim);
  await Promise.all(webhooks.map((webhook) => refresh(deps, webhook, now)));
}

async function refresh(
  deps: RefreshDeps,
  webhook: store.RefreshedWebhook,
  now: number,
): Promise<void> {
  const { storage, log, keyring, publicUrl, signal } = deps;
  const credential = credentialOf(keyring, webhook);
  let after = FIRST_ID;
  for (let post = 0; post < MAX_POSTS && !signal.aborted; post += 1) {
    const page = { after, max: ALERTS_PER_POST };
    const open = await store.listOpenMessages(storage, webhook, page);
    const last = open.at(-1);
    if (!last) return;
    const messages = open.map(({ message }) => message);
    const request = alertsRequest(messages, { url: webhook.url, publicUrl, credential });
    const { error } = await postRequest(deps, request, { format: 'ALERTMANAGER', now, signal });
    if (error !== null) {
      const { organizationId, webhookId } = webhook;
      log.warn({ organizationId, webhookId, error }, 'open events could not be sent again');
      await store.refreshAgain(storage, webhook, now - REFRESH_INTERVAL_MS + RETRY_MS);
      return;
    }
    after = last.eventId;
  }
}
