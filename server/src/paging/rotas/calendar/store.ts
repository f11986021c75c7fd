import { type Queries, run, sql, type Transaction } from '../../../storage/index.ts';
import type { NamedRotaRow } from '../store.ts';

/** False when there is no such rota. */
export async function setDigest(
  tx: Transaction,
  organizationId: string,
  id: string,
  digest: Buffer | null,
): Promise<boolean> {
  const rows = await run(
    tx,
    sql`update rotas set calendar_digest = ${digest}
        where organization_id = ${organizationId} and id = ${id} returning 1`,
  );
  return rows.length > 0;
}

export interface CalendarRow extends NamedRotaRow {
  readonly name: string;
}

export async function findByDigest(db: Queries, digest: Buffer): Promise<CalendarRow | null> {
  const [row] = await run<CalendarRow>(
    db,
    sql`select organization_id as "organizationId", id, name, time_zone as "timeZone", layers,
          overrides
        from rotas where calendar_digest = ${digest}`,
  );
  return row ?? null;
}
