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

/** The newest number of an organization's changes, and the newest one below the horizon. */
export interface NewestNumbers {
  readonly newest: number;
  readonly newestBelow: number;
}

export async function findNewestNumbers(
  db: Queries,
  organizationId: string,
  horizon: number,
): Promise<NewestNumbers> {
  const changes = sql`alarm_event_log where organization_id = ${organizationId}
    and kind <> 'NOTIFIED'`;
  const [row] = await run<NewestNumbers>(
    db,
    sql`select coalesce((select max(number) from ${changes}), 0) as newest,
          coalesce((select max(number) from ${changes} and number < ${horizon}), 0) as "newestBelow"`,
  );
  return row ?? { newest: 0, newestBelow: 0 };
}

/** The organizations that have changes after their positions. */
export async function listOrganizationsWithChanges(
  db: Queries,
  positions: ReadonlyMap<string, number>,
): Promise<readonly string[]> {
  const rows = await run<{ organizationId: string }>(
    db,
    sql`select followed.id as "organizationId"
        from unnest(${[...positions.keys()]}::uuid[], ${[...positions.values()]}::bigint[])
          as followed (id, position)
        cross join lateral (select from alarm_event_log
          where organization_id = followed.id and number > position and kind <> 'NOTIFIED'
          order by number limit 1) as change`,
  );
  return rows.map(({ organizationId }) => organizationId);
}
