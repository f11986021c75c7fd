import { isoDateTime } from '../../runtime/index.ts';
import type { Storage } from '../../storage/index.ts';

/** What is deleted once its time is before a given moment. The names are ours, not a caller's. */
export const PERISHABLES = {
  sessions: { key: 'id', time: 'expires_at' },
  refresh_tokens: { key: 'token_hash', time: 'expires_at' },
  invitations: { key: 'token_hash', time: 'expires_at' },
  idempotency_keys: { key: 'credential, operation, key', time: 'created_at' },
} as const;

export type Perishable = keyof typeof PERISHABLES;

/** Deletes at most `batchSize` rows, the oldest first; answers how many. */
export async function deletePerished(
  storage: Storage,
  table: Perishable,
  before: number,
  batchSize: number,
): Promise<number> {
  const { key, time } = PERISHABLES[table];
  const rows = await storage.query(
    `delete from ${table} where (${key}) in (
       select ${key} from ${table} where ${time} <= $1
       order by ${time} limit $2 for update skip locked
     ) returning 1`,
    [isoDateTime(before), batchSize],
  );
  return rows.length;
}
