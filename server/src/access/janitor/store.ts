import { isoDateTime } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';

/** What is deleted once its time, in this column, is before a given moment. The names are ours. */
export const PERISHABLES = {
  sessions: 'expires_at',
  refresh_tokens: 'expires_at',
  invitations: 'expires_at',
  idempotency_keys: 'created_at',
  known_addresses: 'last_used_at',
} as const;

export type Perishable = keyof typeof PERISHABLES;

/** Deletes at most `batchSize` rows, the oldest first; answers how many. */
export async function deletePerished(
  storage: Storage,
  table: Perishable,
  before: number,
  batchSize: number,
): Promise<number> {
  const time = PERISHABLES[table];
  const rows = await storage.query(
    `delete from ${table} where ctid = any(array(
       select ctid from ${table} where ${time} <= $1
       order by ${time} limit $2 for update skip locked
     )) returning 1`,
    [isoDateTime(before), batchSize],
  );
  return rows.length;
}
