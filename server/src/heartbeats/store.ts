import type { HeartbeatKind } from '@fieldwatch/contract';
import { fold, isoDateTime } from '../runtime/index.ts';
import { type Queries, rowsOf, run, saved, sql, type Transaction } from '../storage/index.ts';

export interface HeartbeatRow {
  readonly id: string;
  readonly name: string;
  readonly kind: HeartbeatKind;
  readonly url: string;
  readonly everySeconds: number;
  readonly isActive: boolean;
  readonly isHealthy: boolean | null;
  readonly lastSentAt: number | null;
  readonly lastError: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

/** What an edit may set. */
export type HeartbeatFields = Pick<
  HeartbeatRow,
  'name' | 'kind' | 'url' | 'everySeconds' | 'isActive'
>;

const COLUMNS = sql`id, name, kind, url, every_seconds as "everySeconds", is_active as "isActive",
  is_healthy as "isHealthy", last_sent_at as "lastSentAt", last_error as "lastError",
  created_at as "createdAt", updated_at as "updatedAt", revision`;

export const {
  find: findHeartbeat,
  list: listHeartbeats,
  lock: lockHeartbeat,
  remove: deleteHeartbeat,
} = rowsOf<HeartbeatRow>('heartbeats', COLUMNS);

/** Counts them, and keeps others from being created until the transaction ends. */
export async function countLocked(tx: Transaction, organizationId: string): Promise<number> {
  await run(tx, sql`select 1 from organizations where id = ${organizationId} for no key update`);
  const [row] = await run<{ count: number }>(
    tx,
    sql`select count(*) from heartbeats where organization_id = ${organizationId}`,
  );
  return row?.count ?? 0;
}

export async function insertHeartbeat(
  tx: Transaction,
  organizationId: string,
  heartbeat: HeartbeatFields & { readonly id: string; readonly now: number },
): Promise<HeartbeatRow> {
  const at = isoDateTime(heartbeat.now);
  return saved(
    run<HeartbeatRow>(
      tx,
      sql`insert into heartbeats (organization_id, id, name, name_folded, kind, url, every_seconds,
            is_active, next_at, created_at, updated_at)
          values (${organizationId}, ${heartbeat.id}, ${heartbeat.name}, ${fold(heartbeat.name)},
            ${heartbeat.kind}, ${heartbeat.url}, ${heartbeat.everySeconds}, ${heartbeat.isActive},
            ${at}, ${at}, ${at})
          returning ${COLUMNS}`,
    ),
  );
}

/** It is due at once: whoever changed it wants to see whether it works. */
export async function updateHeartbeat(
  tx: Transaction,
  organizationId: string,
  id: string,
  fields: HeartbeatFields,
  now: number,
): Promise<HeartbeatRow> {
  const at = isoDateTime(now);
  return saved(
    run<HeartbeatRow>(
      tx,
      sql`update heartbeats set name = ${fields.name}, name_folded = ${fold(fields.name)},
            kind = ${fields.kind}, url = ${fields.url}, every_seconds = ${fields.everySeconds},
            is_active = ${fields.isActive}, next_at = ${at}, updated_at = ${at},
            revision = revision + 1
          where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}

export interface ActiveHeartbeat {
  readonly organizationId: string;
  readonly id: string;
  readonly kind: HeartbeatKind;
  readonly url: string;
  readonly everySeconds: number;
  readonly nextAt: number;
}

/** Those that are due first come first. */
export function listActive(db: Queries, limit: number): Promise<ActiveHeartbeat[]> {
  return run(
    db,
    sql`select organization_id as "organizationId", id, kind, url,
          every_seconds as "everySeconds", next_at as "nextAt"
        from heartbeats where is_active order by next_at limit ${limit}`,
  );
}

/** Plans the next call. False when another node has done so, or the heartbeat was changed. */
export async function claim(
  db: Queries,
  { organizationId, id, nextAt }: ActiveHeartbeat,
  next: number,
): Promise<boolean> {
  const rows = await run(
    db,
    sql`update heartbeats set next_at = ${isoDateTime(next)}
        where organization_id = ${organizationId} and id = ${id} and is_active
          and next_at = ${isoDateTime(nextAt)}
        returning id`,
  );
  return rows.length > 0;
}

/** What came of a check and its call. */
export interface CheckResult {
  readonly isHealthy: boolean;
  /** Null keeps the time of the call before. */
  readonly sentAt: number | null;
  readonly error: string | null;
}

export async function recordResult(
  db: Queries,
  { organizationId, id, url }: Pick<ActiveHeartbeat, 'organizationId' | 'id' | 'url'>,
  { isHealthy, sentAt, error }: CheckResult,
): Promise<void> {
  const at = sentAt === null ? null : isoDateTime(sentAt);
  await run(
    db,
    sql`update heartbeats set is_healthy = ${isHealthy}, last_error = ${error},
          last_sent_at = coalesce(${at}::timestamptz, last_sent_at)
        where organization_id = ${organizationId} and id = ${id} and url = ${url}`,
  );
}
