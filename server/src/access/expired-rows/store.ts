import { isoDateTime } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';

/** The tables whose rows expire, and the column with the time that decides. */
export const EXPIRING_TABLES = {
  sessions: 'expires_at',
  refresh_tokens: 'expires_at',
  invitations: 'expires_at',
  idempotency_keys: 'created_at',
  known_addresses: 'last_used_at',
} as const;

export type ExpiringTable = keyof typeof EXPIRING_TABLES;

/** Deletes at most `batchSize` rows, the oldest first, and returns how many were deleted. */
export async function deleteExpiredRows(
  storage: Storage,
  table: ExpiringTable,
  before: number,
  batchSize: number,
): Promise<number> {
  const time = EXPIRING_TABLES[table];
  const rows = await storage.query(
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${time} <= $1
       order by ${time} limit $2 for update skip locked
     )) returning 1`,
    [isoDateTime(before), batchSize],
  );
  return rows.length;
}
