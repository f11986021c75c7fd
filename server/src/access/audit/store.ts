import type { AuditCategory, AuditEntry } from '@fieldwatch/contract';
import { idForms, isoDateTime } from '../../runtime/index.ts';
import {
  all,
  type PageRequest,
  page,
  type Queries,
  run,
  sql,
  type Transaction,
} from '../../storage/index.ts';
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
  await run(
    tx,
    sql`insert into audit_log
          (organization_id, id, occurred_at, actor_kind, actor_id, actor_name, operation, resource,
           resource_id, address, request_id, changes)
        select * from unnest(
          ${column((entry) => entry.organizationId)}::uuid[],
          ${column((entry) => entry.id)}::uuid[],
          ${column((entry) => isoDateTime(entry.occurredAt))}::timestamptz[],
          ${column((entry) => entry.actor.kind)}::text[],
          ${column((entry) => entry.actor.id)}::text[],
          ${column((entry) => entry.actor.name)}::text[],
          ${column((entry) => entry.operation)}::text[],
          ${column((entry) => entry.resource)}::text[],
          ${column((entry) => entry.resourceId)}::text[],
          ${column((entry) => entry.address)}::text[],
          ${column((entry) => entry.requestId)}::text[],
          ${column((entry) => JSON.stringify(entry.changes))}::json[])`,
  );
}

export interface EntryFilter extends PageRequest {
  readonly startTimeMs: number | null;
  readonly endTimeMs: number | null;
  readonly category: AuditCategory | null;
  readonly actorId: string | null;
  readonly resource: string | null;
  readonly resourceId: string | null;
}

interface EntryRow {
  readonly id: string;
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

const COLUMNS = sql`id, occurred_at as "occurredAt", actor_kind as "actorKind", actor_id as "actorId",
  actor_name as "actorName", operation, resource, resource_id as "resourceId", address,
  request_id as "requestId", changes`;

/** Credentials that were refused are recorded as changes of the user or the key by the server. */
const REFUSED_CREDENTIALS = sql`operation in ('createToken', 'authenticate')`;
// The list of resources makes the index by resource usable.
const SIGN_INS = sql`resource in ('Session', 'User', 'ApiKey')
  and (resource = 'Session' or ${REFUSED_CREDENTIALS})`;
const CHANGES = sql`resource <> 'Session' and not ${REFUSED_CREDENTIALS}`;

export async function listEntries(
  db: Queries,
  organizationId: string,
  filter: EntryFilter,
): Promise<{ count: number; items: AuditEntry[] }> {
  const { startTimeMs, endTimeMs, category, actorId, resource, resourceId } = filter;
  const where = all([
    sql`organization_id = ${organizationId}`,
    startTimeMs === null ? undefined : sql`occurred_at >= ${isoDateTime(startTimeMs)}`,
    endTimeMs === null ? undefined : sql`occurred_at <= ${isoDateTime(endTimeMs)}`,
    category === 'SIGN_INS' ? SIGN_INS : undefined,
    category === 'CHANGES' ? CHANGES : undefined,
    actorId === null ? undefined : sql`actor_id = any(${idForms(actorId)})`,
    resource === null ? undefined : sql`resource = ${resource}`,
    resourceId === null ? undefined : sql`resource_id = any(${idForms(resourceId)})`,
  ]);
  const order = sql`occurred_at desc, id desc`;
  const { count, rows } = await page<EntryRow>(
    db,
    { columns: COLUMNS, from: sql`audit_log`, where, order },
    filter,
  );
  return { count, items: rows.map(entryOf) };
}

function entryOf(row: EntryRow): AuditEntry {
  return {
    id: row.id,
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
  return run<Home>(
    db,
    sql`select u.email_folded as name, u.id, m.organization_id as "organizationId"
        from users u join memberships m on m.user_id = u.id and m.status = 'ACTIVE'
        where u.email_folded = any(${emailsFolded}::text[])`,
  );
}

export function findKeyHomes(db: Queries, ids: readonly string[]): Promise<Home[]> {
  return run<Home>(
    db,
    sql`select id as name, id, organization_id as "organizationId" from api_keys
        where id = any(${ids}::text[])`,
  );
}
