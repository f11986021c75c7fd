import type { NewId } from '../../runtime/index.ts';
import type { Transaction } from '../../storage/index.ts';
import { type Destination, destinationKey, lockTargets } from '../fan-out/index.ts';
import { receivesReplies } from '../phone/index.ts';
import { replyCodeFor } from '../reply-codes/index.ts';
import { type PageContent, pageMessageOf } from './page-message.ts';
import * as store from './store.ts';

/** One address of somebody who is paged. */
export interface PageRecipient {
  readonly destination: Destination;
  /** Null for a webhook and for the subscriptions of an alarm group. */
  readonly userId: string | null;
  readonly dueAt: number;
  readonly acknowledgeUrl: string | null;
}

interface PageStep {
  readonly organizationId: string;
  readonly pageId: string;
  readonly loop: number;
  readonly step: number;
}

interface Sending {
  readonly newId: NewId;
  readonly now: number;
}

/** Writes the deliveries of a step; each destination gets one. */
export async function deliverPage(
  tx: Transaction,
  { newId, now }: Sending,
  step: PageStep,
  content: PageContent,
  recipients: readonly PageRecipient[],
): Promise<void> {
  const distinct = new Map(recipients.map((each) => [destinationKey(each.destination), each]));
  if (distinct.size === 0) return;
  const wanted = [...distinct.values()];
  const targets = await lockTargets(
    tx,
    wanted.map(({ destination }) => ({ ...destination, newTargetId: newId() })),
  );
  const targetOf = new Map(targets.map((each) => [destinationKey(each), each.id]));
  const codes = await replyCodesOf(tx, step, wanted, now);
  const deliveries = wanted.map(({ destination, userId, dueAt, acknowledgeUrl }) => {
    const replyCode = codes.get(destinationKey(destination));
    return {
      id: newId(),
      targetId: targetOf.get(destinationKey(destination)) ?? '',
      userId,
      dueAt,
      message: pageMessageOf(content, { acknowledgeUrl, ...(replyCode && { replyCode }) }),
    };
  });
  await store.insertPageDeliveries(tx, step, eventsOf(content), deliveries, now);
}

/** The codes of the people who get a text, where replies are reported; targets are locked. */
async function replyCodesOf(
  tx: Transaction,
  { organizationId, pageId }: PageStep,
  recipients: readonly PageRecipient[],
  now: number,
): Promise<ReadonlyMap<string, string>> {
  const codes = new Map<string, string>();
  const texted = recipients.flatMap(({ destination, userId }) =>
    'phone' in destination && destination.phoneKind === 'SMS' && userId !== null
      ? [{ destination, userId, phone: destination.phone }]
      : [],
  );
  if (texted.length === 0 || !(await receivesReplies(tx, organizationId))) return codes;
  for (const { destination, userId, phone } of texted) {
    const code = await replyCodeFor(tx, { organizationId, phone }, { pageId, userId }, now);
    if (code !== null) codes.set(destinationKey(destination), code);
  }
  return codes;
}

/**
 * Writes a further message to those who were sent the page, to one user of them where one is named.
 * What was not sent before is not sent any more.
 */
export async function deliverToPaged(
  tx: Transaction,
  { newId, now }: Sending,
  step: PageStep,
  content: PageContent,
  userId: string | null = null,
): Promise<number> {
  const paged = await store.listPaged(tx, step.organizationId, step.pageId);
  const wanted = paged.filter((each) => userId === null || each.userId === userId);
  const message = pageMessageOf(content, { acknowledgeUrl: null });
  const deliveries = wanted.map((each) => ({ ...each, id: newId(), dueAt: now, message }));
  if (deliveries.length > 0) {
    await store.insertPageDeliveries(tx, step, eventsOf(content), deliveries, now);
  }
  return deliveries.length;
}

/** The events that a message names; a test has none. */
function eventsOf({ events, eventCount, note }: PageContent): store.NamedEvents {
  const ids = note.isTest ? [] : events.map(({ event }) => event.id);
  return { eventId: eventCount === 1 ? (ids[0] ?? null) : null, eventIds: ids, eventCount };
}
