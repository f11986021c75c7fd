import { SEVERITIES, type Severity } from '@fieldwatch/contract';
import type { NewId } from '../../runtime/index.ts';
import type { Transaction } from '../../storage/index.ts';
import {
  destinationKey,
  insertDeliveries,
  lockTargets,
  type Message,
  type NewDelivery,
  type PageHooks,
} from '../fan-out/index.ts';
import { hastenNext } from '../page-deliveries/index.ts';
import * as store from './store.ts';

export interface NextContactDeps {
  readonly newId: NewId;
  readonly pages: Pick<PageHooks, 'nextContactsOf'>;
}

/**
 * After deliveries that failed for good, the next contact method of the same person is used at once:
 * of a page, the next message of the step, which waits already; of an alarm group that somebody
 * follows, the same message.
 */
export async function useNextContacts(
  tx: Transaction,
  { newId, pages }: NextContactDeps,
  organizationId: string,
  failedIds: readonly string[],
  now: number,
): Promise<void> {
  if (failedIds.length === 0) return;
  await hastenNext(tx, organizationId, failedIds, now);
  for (const failed of await store.listFailed(tx, organizationId, failedIds)) {
    const groups = failed.alarmGroupIds.map((alarmGroupId) => ({ organizationId, alarmGroupId }));
    if (groups.length === 0) continue;
    const contact = { severity: severityOf(failed.message), failedKey: destinationKey(failed) };
    const contacts = await pages.nextContactsOf(tx, groups, contact, now);
    if (contacts.length === 0) continue;
    const targets = await lockTargets(
      tx,
      contacts.map(({ destination }) => ({ ...destination, newTargetId: newId() })),
    );
    const targetOf = new Map(targets.map((each) => [destinationKey(each), each.id]));
    const { message, notificationId, eventId, eventIds, eventCount } = failed;
    const same = { organizationId, message, notificationId, eventId, eventIds, eventCount };
    const deliveries = contacts.flatMap(({ userId, destination, dueAt }): NewDelivery[] => {
      const targetId = targetOf.get(destinationKey(destination));
      return targetId === undefined ? [] : [{ ...same, id: newId(), targetId, userId, dueAt }];
    });
    await insertDeliveries(tx, deliveries, now);
  }
}

/** Of a digest, the worst. */
function severityOf(message: Message): Severity {
  if (message.type !== 'alarm.digest') return message.data.severity;
  const present = Object.values(message.data.counts).flatMap((each) => Object.keys(each));
  return [...SEVERITIES].reverse().find((each) => present.includes(each)) ?? 'INFO';
}
