import type { AuditEntry } from '@fieldwatch/contract';
import { isoDateTime } from '../../runtime/index.ts';
import type { Queries, Transaction } from '../../storage/index.ts';
import type { ChangedField } from './changed-fields.ts';

export interface NewEntry {
  readonly organizationId: string;
  readonly id: string;
  readonly occurredAt: number;
  readonly actor: AuditEntry['actor'];
  readonly operation: string;
  readonly resource: string;
  readonly resourceId: string;
  readonly address: string | null;
  readonly requestId: string | null;
  readonly changes: readonly ChangedField[];
}

export async function insertEntries(tx: Transaction, entries: readonly NewEntry[]): Promise<void> {
  const column = <T>(value: (entry: NewEntry) => T) => entries.map(value);
  await tx.query(
    `insert into audit_log
       (organization_id, id, occurred_at, actor_kind, actor_id, actor_name, operation, resource,
        resource_id, address, request_id, changes)
     select * from unnest($1::uuid[], $2::uuid[], $3::timestamptz[], $4::text[], $5::text[],
       $6::text[], $7::text[], $8::text[], $9::text[], $10::text[], $11::text[], $12::json[])`,
    [
      column((entry) => entry.organizationId),
      column((entry) => entry.id),
      column((entry) => isoDateTime(entry.occurredAt)),
      column((entry) => entry.actor.kind),
      column((entry) => entry.actor.id),
      column((entry) => entry.actor.name),
      column((entry) => entry.operation),
      column((entry) => entry.resource),
      column((entry) => entry.resourceId),
      column((entry) => entry.address),
      column((entry) => entry.requestId),
      column((entry) => JSON.stringify(entry.changes)),
    ],
  );
}

export interface EntryFilter {
  readonly startTimeMs: number | null;
  readonly endTimeMs: number | null;
  readonly actorId: string | null;
  readonly resource: string | null;
  readonly resourceId: string | null;
  readonly skip: number;
  readonly take: number;
}

interface EntryRow {
  readonly count: number;
  readonly id: string | null;
  readonly occurredAt: number;
  readonly actorKind: AuditEntry['actor']['kind'];
  readonly actorId: string | null;
  readonly actorName: string;
  readonly operation: string;
  readonly resource: string;
  readonly resourceId: string;
  readonly address: string | null;
  readonly requestId: string | null;
  readonly changes: ChangedField[];
}

export async function listEntries(
  db: Queries,
  organizationId: string,
  filter: EntryFilter,
): Promise<{ count: number; items: AuditEntry[] }> {
  const rows = await db.query<EntryRow>(
    `with matching as not materialized (
       select * from audit_log
       where organization_id = $1
         and ($2::timestamptz is null or occurred_at >= $2)
         and ($3::timestamptz is null or occurred_at <= $3)
         and ($4::text is null or actor_id = $4)
         and ($5::text is null or resource = $5)
         and ($6::text is null or resource_id = $6)
     )
     select total.count, page.id, page.occurred_at as "occurredAt",
       page.actor_kind as "actorKind", page.actor_id as "actorId", page.actor_name as "actorName",
       page.operation, page.resource, page.resource_id as "resourceId", page.address,
       page.request_id as "requestId", page.changes
     from (select count(*) from matching) total
     left join (
       select * from matching order by occurred_at desc, id desc offset $7 limit $8
     ) page on true
     order by page.occurred_at desc, page.id desc`,
    [
      organizationId,
      filter.startTimeMs === null ? null : isoDateTime(filter.startTimeMs),
      filter.endTimeMs === null ? null : isoDateTime(filter.endTimeMs),
      filter.actorId,
      filter.resource,
      filter.resourceId,
      filter.skip,
      filter.take,
    ],
  );
  const items = rows.flatMap((row) => (row.id === null ? [] : [entryOf(row.id, row)]));
  return { count: rows[0]?.count ?? 0, items };
}

function entryOf(id: string, row: EntryRow): AuditEntry {
  return {
    id,
    occurredDateTime: isoDateTime(row.occurredAt),
    actor: { kind: row.actorKind, id: row.actorId, name: row.actorName },
    operation: row.operation,
    resource: row.resource,
    resourceId: row.resourceId,
    address: row.address,
    requestId: row.requestId,
    changes: row.changes,
  };
}

/** An organization whose audit log records attempts with one of its credentials. */
export interface Home {
  /** What the credential was looked up by. */
  readonly name: string;
  readonly id: string;
  readonly organizationId: string;
}

/** The organizations that users with these emails belong to. */
export function findUserHomes(db: Queries, emailsFolded: readonly string[]): Promise<Home[]> {
  return db.query<Home>(
    `select u.email_folded as name, u.id, m.organization_id as "organizationId"
     from users u join memberships m on m.user_id = u.id and m.status = 'ACTIVE'
     where u.email_folded = any($1::text[])`,
    [emailsFolded],
  );
}

export function findKeyHomes(db: Queries, ids: readonly string[]): Promise<Home[]> {
  return db.query<Home>(
    `select id as name, id, organization_id as "organizationId" from api_keys
     where id = any($1::text[])`,
    [ids],
  );
}
