import { type Queries, run, sql } from '../../../storage/index.ts';
import type { EventRow, NoteRow, TimelineRow } from '../event.ts';
import { EVENT_COLUMNS, notesOf } from '../store.ts';

/** An entry of the log with the event as it is now. */
export interface ChangeRow extends EventRow {
  readonly number: number;
  readonly kind: Exclude<TimelineRow['kind'], 'NOTIFIED'>;
  readonly notes: readonly NoteRow[];
}

/** The next entries of an organization, without those about notifications. */
export function listChangesAfter(
  db: Queries,
  organizationId: string,
  after: number,
  max: number,
): Promise<ChangeRow[]> {
  return run(
    db,
    sql`select entry.number, entry.kind, event.*, noted.notes
        from (select number, event_id, kind from alarm_event_log
          where organization_id = ${organizationId} and number > ${after} and kind <> 'NOTIFIED'
          order by number limit ${max}) entry
        cross join lateral (select ${EVENT_COLUMNS} from alarm_events
          where organization_id = ${organizationId} and id = entry.event_id offset 0) event
        cross join lateral (${notesOf(sql`${organizationId}::uuid`, sql`entry.event_id`)}) noted
        order by entry.number`,
  );
}

export async function findNewestNumber(db: Queries, organizationId: string): Promise<number> {
  const [row] = await run<{ newest: number }>(
    db,
    sql`select coalesce(max(number), 0) as newest from alarm_event_log
        where organization_id = ${organizationId} and kind <> 'NOTIFIED'`,
  );
  return row?.newest ?? 0;
}
