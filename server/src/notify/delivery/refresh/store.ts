import { isActive } from '../../../alarms/index.ts';
import { isoDateTime } from '../../../runtime/index.ts';
import { type Queries, run, sql } from '../../../storage/index.ts';
import type { EventMessage } from '../../fan-out/index.ts';

export interface RefreshedWebhook {
  readonly organizationId: string;
  readonly webhookId: string;
  readonly url: string;
  readonly encryptedCredential: Buffer | null;
}

/** Claims webhooks of an Alertmanager that were not refreshed since; others leave them alone then. */
export function claimWebhooks(
  db: Queries,
  { now, intervalMs, max }: { now: number; intervalMs: number; max: number },
): Promise<RefreshedWebhook[]> {
  const at = isoDateTime(now);
  const before = isoDateTime(now - intervalMs);
  return run(
    db,
    // A time ahead of the clock is of a clock that was set back since.
    sql`update webhooks set refreshed_at = ${at}
        from (select organization_id, id from webhooks
          where format = 'ALERTMANAGER' and is_active
            and (refreshed_at is null or refreshed_at <= ${before} or refreshed_at > ${at})
          order by refreshed_at nulls first limit ${max} for no key update skip locked) due
        where webhooks.organization_id = due.organization_id and webhooks.id = due.id
        returning webhooks.organization_id as "organizationId", webhooks.id as "webhookId", url,
          encrypted_credential as "encryptedCredential"`,
  );
}

/** Has the webhook refreshed again at the given time, rather than after the whole interval. */
export async function refreshAgain(
  db: Queries,
  { organizationId, webhookId }: RefreshedWebhook,
  refreshedAt: number,
): Promise<void> {
  await run(
    db,
    sql`update webhooks set refreshed_at = ${isoDateTime(refreshedAt)}
        where organization_id = ${organizationId} and id = ${webhookId}`,
  );
}

/** The messages of events that the webhook received and that are still open, by event. */
export function listOpenMessages(
  db: Queries,
  { organizationId, webhookId }: RefreshedWebhook,
  { after, max }: { after: string; max: number },
): Promise<{ readonly eventId: string; readonly message: EventMessage }[]> {
  return run(
    db,
    sql`select event.id as "eventId", payload as message
        from notification_targets target
        join deliveries on deliveries.organization_id = target.organization_id
          and deliveries.target_id = target.id and type = 'alarm.raised' and state = 'DELIVERED'
        join alarm_events event on event.organization_id = target.organization_id
          and event.id = deliveries.event_id and ${isActive(sql`event`)}
        where target.organization_id = ${organizationId} and target.webhook_id = ${webhookId}
          and deliveries.event_id > ${after}
        order by deliveries.event_id limit ${max}`,
  );
}
