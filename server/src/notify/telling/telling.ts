import type { NewId } from '../../runtime/index.ts';
import type { Storage, Transaction } from '../../storage/index.ts';
import { digestWith, messageOf } from './message.ts';
import { formOf } from './pace.ts';
import { destinationKey, type Route, routesOf } from './route.ts';
import * as store from './store.ts';

export interface TellingDeps {
  readonly storage: Storage;
  readonly newId: NewId;
}

export const NOTICES_AT_ONCE = 2_000;

/**
 * Turns the oldest notices into deliveries to whoever asked for them, all of it or nothing. Answers
 * how many notices there were.
 */
export function tellNext({ storage, newId }: TellingDeps, now: number): Promise<number> {
  return storage.transaction(async (tx) => {
    const notices = await store.takeNotices(tx, NOTICES_AT_ONCE);
    const groups = new Map(
      notices.flatMap(({ organizationId, event: { alarmGroupId } }) =>
        alarmGroupId === null ? [] : [[alarmGroupId, { organizationId, alarmGroupId }] as const],
      ),
    );
    if (groups.size > 0) {
      const subscriptions = await store.listSubscriptions(tx, [...groups.values()]);
      const routes = routesOf(notices, subscriptions);
      if (routes.length > 0) await deliver(tx, { newId, now, routes });
    }
    return notices.length;
  });
}

interface Delivering {
  readonly newId: NewId;
  readonly now: number;
  readonly routes: readonly Route[];
}

async function deliver(tx: Transaction, { newId, now, routes }: Delivering): Promise<void> {
  const targets = await store.lockTargets(
    tx,
    routes.map(({ destination }) => ({ ...destination, newTargetId: newId() })),
  );
  const lately = new Map(
    (await store.listLately(tx, targets, now)).map((each) => [each.targetId, each]),
  );
  const targetOf = new Map(targets.map((each) => [targetKey(each), each]));
  const deliveries: store.NewDelivery[] = [];
  const digests: Parameters<typeof store.updateDigests>[1][number][] = [];
  for (const { destination, notices } of routes) {
    const target = targetOf.get(destinationKey(destination));
    if (!target) throw new Error('a locked target is gone');
    const { organizationId, openDigestId, lastDigestAt } = target;
    const { recentCount = 0, digest = null } = lately.get(target.id) ?? {};
    const pace = { recentCount, hasOpenDigest: digest !== null, lastDigestAt };
    const form = formOf(pace, notices.length, now);
    const common = { organizationId, targetId: target.id };
    const eventIds = notices.map(({ event }) => event.id);
    if (form.form === 'JOIN') {
      const message = digestWith(digest, notices);
      digests.push({ organizationId, id: openDigestId ?? '', eventIds, message });
    } else if (form.form === 'DIGEST') {
      const message = digestWith(null, notices);
      const named = { noticeId: null, eventId: null, eventIds, eventCount: notices.length };
      deliveries.push({ ...common, ...named, id: newId(), message, dueAt: form.dueAt });
    } else {
      for (const notice of notices) {
        const { id: eventId } = notice.event;
        const named = { noticeId: notice.id, eventId, eventIds: null, eventCount: 1 };
        const message = messageOf(notice);
        deliveries.push({ ...common, ...named, id: newId(), message, dueAt: now });
      }
    }
  }
  await store.insertDeliveries(tx, deliveries, now);
  await store.updateDigests(tx, digests);
}

function targetKey({ organizationId, emailFolded, webhookId }: store.TargetRow): string {
  return webhookId === null
    ? destinationKey({ organizationId, email: '', emailFolded: emailFolded ?? '', webhookId })
    : destinationKey({ organizationId, email: null, emailFolded: null, webhookId });
}
