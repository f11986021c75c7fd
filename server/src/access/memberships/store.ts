import type { Role } from '@fieldwatch/contract';
import { type Queries, run, sql, type Transaction } from '../../storage/index.ts';

export interface BelongsTo {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly role: Role;
  readonly name: string | null;
}

/** Where a user belongs, the oldest first; what they were invited to and did not accept is left out. */
export function listBelongings(db: Queries, userId: string): Promise<BelongsTo[]> {
  return run<BelongsTo>(
    db,
    sql`select m.organization_id as "organizationId", o.name as "organizationName", m.role, m.name
        from memberships m join organizations o on o.id = m.organization_id
        where m.user_id = ${userId} and m.status = 'ACTIVE'
        order by m.created_at, m.organization_id`,
  );
}

/** Waits until no other request changes what the user belongs to, and keeps others waiting. */
export async function lockUser(tx: Transaction, userId: string): Promise<void> {
  await run(tx, sql`select 1 from users where id = ${userId} for update`);
}
