import { isoDateTime } from '../../runtime/index.ts';
import { run, type Storage, sql } from '../../storage/index.ts';

/** The tables whose rows expire, and the column with the time that decides. */
export const EXPIRING_TABLES = [
  { deleteFrom: 'sessions', time: 'expires_at' },
  { deleteFrom: 'refresh_tokens', time: 'expires_at' },
  { deleteFrom: 'invitations', time: 'expires_at' },
  { deleteFrom: 'idempotency_keys', time: 'created_at' },
  { deleteFrom: 'known_addresses', time: 'last_used_at' },
] as const;

export type ExpiringTable = (typeof EXPIRING_TABLES)[number];

/** Deletes at most `batchSize` rows, the oldest first, and returns how many were deleted. */
export async function deleteExpiredRows(
  storage: Storage,
  { deleteFrom, time: column }: ExpiringTable,
  before: number,
  batchSize: number,
): Promise<number> {
  const [table, time] = [sql.identifier(deleteFrom), sql.identifier(column)];
  const rows = await run(
    storage,
    sql`delete from ${table} where ctid = any(array(
          select ctid from ${table} where ${time} <= ${isoDateTime(before)}
          order by ${time} limit ${batchSize} for update skip locked
        )) returning 1`,
  );
  return rows.length;
}
