import type { SuppressionKind } from '@fieldwatch/contract';
import { isoDateTime } from '../../runtime/index.ts';
import { run, sql, type Transaction } from '../../storage/index.ts';
import { announcedLogWriter } from '../log-order/index.ts';

/** Why the notification of an event is held back. */
export interface Suppression {
  readonly organizationId: string;
  readonly eventId: string;
  readonly kind: SuppressionKind;
  readonly id: string;
  /** For the timeline. */
  readonly detail: string;
}

/** Marks events as suppressed, with an entry in their log; the same suppression is recorded once. */
export async function recordSuppressions(
  tx: Transaction,
  suppressions: readonly Suppression[],
  now: number,
): Promise<void> {
  if (suppressions.length === 0) return;
  const at = isoDateTime(now);
  const organizationIds = suppressions.map(({ organizationId }) => organizationId);
  await run(
    tx,
    sql`with announced as materialized (${announcedLogWriter(organizationIds)}),
        marked as (
          update alarm_events event set suppression_kind = given.kind,
            suppression_id = given."suppressionId", revision = revision + 1
          from announced, unnest(${organizationIds}::uuid[],
              ${suppressions.map(({ eventId }) => eventId)}::uuid[],
              ${suppressions.map(({ kind }) => kind)}::text[],
              ${suppressions.map(({ id }) => id)}::uuid[],
              ${suppressions.map(({ detail }) => detail)}::text[])
            as given ("organizationId", "eventId", kind, "suppressionId", detail)
          where event.organization_id = "organizationId" and event.id = "eventId"
            and event.suppression_id is distinct from "suppressionId"
          returning event.organization_id, event.id, given.detail)
        insert into alarm_event_log (organization_id, event_id, kind, at, recorded_at, detail)
        select organization_id, id, 'SUPPRESSED', ${at}, ${at}, detail from marked`,
  );
}
