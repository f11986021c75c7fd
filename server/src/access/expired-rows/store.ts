import { isoDateTime } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';

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
  { deleteFrom: table, time }: ExpiringTable,
  before: number,
  batchSize: number,
): Promise<number> {
  const rows = await storage.query(
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${time} <= $1
       order by ${time} limit $2 for update skip locked
     )) returning 1`,
    [isoDateTime(before), batchSize],
  );
  return rows.length;
}
