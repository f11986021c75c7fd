import type { PhoneKind } from '@fieldwatch/contract';
import { run, sql, type Transaction } from '../../storage/index.ts';
import type { Message } from '../fan-out/index.ts';

/** A delivery that failed for good, with its target and the alarm groups of its events. */
export interface FailedDelivery {
  readonly organizationId: string;
  readonly message: Message;
  readonly notificationId: string | null;
  readonly eventId: string | null;
  readonly eventIds: readonly string[] | null;
  readonly eventCount: number;
  readonly emailFolded: string | null;
  readonly webhookId: string | null;
  readonly pushId: string | null;
  readonly phone: string | null;
  readonly phoneKind: PhoneKind | null;
  readonly alarmGroupIds: readonly string[];
}

/** Those of the deliveries that are about alarm events and of no page. */
export function listFailed(
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
): Promise<FailedDelivery[]> {
  return run(
    tx,
    sql`select deliveries.organization_id as "organizationId", payload as message,
          notice_id as "notificationId", event_id as "eventId", event_ids as "eventIds",
          event_count as "eventCount", email_folded as "emailFolded", webhook_id as "webhookId",
          push_id as "pushId", phone, phone_kind as "phoneKind",
          array(select distinct alarm_group_id from alarm_events event
            where event.organization_id = deliveries.organization_id
              and event.id = any(coalesce(event_ids, array[event_id]))
              and alarm_group_id is not null) as "alarmGroupIds"
        from deliveries join notification_targets target
          on target.organization_id = deliveries.organization_id and target.id = target_id
        where deliveries.organization_id = ${organizationId}
          and deliveries.id = any(${ids}::uuid[]) and page_id is null and type <> 'text'
        order by deliveries.id`,
  );
}
