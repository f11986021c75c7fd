import { type Queries, run, sql } from '../../storage/index.ts';

/** An API key that a restore has brought back. */
export interface RestoredKey {
  readonly id: string;
  readonly name: string;
  readonly organizationId: string;
  readonly lastUsedAt: number | null;
}

/** With them go their refresh tokens. */
export async function deleteSessions(db: Queries): Promise<number> {
  return (await run(db, sql`delete from sessions returning id`)).length;
}

export function listKeys(db: Queries): Promise<RestoredKey[]> {
  return run(
    db,
    sql`select id, name, organization_id as "organizationId", last_used_at as "lastUsedAt"
        from api_keys order by organization_id, created_at, id`,
  );
}

export async function deleteKeys(db: Queries): Promise<void> {
  await run(db, sql`delete from api_keys`);
}
