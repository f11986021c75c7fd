import { run, type Sql, sql } from './sql.ts';
import type { Queries, Transaction } from './storage.ts';

/** The rows of a table that has the columns `organization_id` and `id`. */
export interface Rows<Row> {
  find(db: Queries, organizationId: string, id: string): Promise<Row | null>;
  /** Locks the row until the transaction ends; other rows may still refer to it. */
  lock(tx: Transaction, organizationId: string, id: string): Promise<Row | null>;
  remove(tx: Transaction, organizationId: string, id: string): Promise<void>;
}

export function rowsOf<Row extends object>(table: string, columns: Sql): Rows<Row> {
  const named = sql.identifier(table);
  const one = (organizationId: string, id: string) =>
    sql`organization_id = ${organizationId} and id = ${id}`;
  return {
    async find(db, organizationId, id) {
      const where = one(organizationId, id);
      const [row] = await run<Row>(db, sql`select ${columns} from ${named} where ${where}`);
      return row ?? null;
    },
    async lock(tx, organizationId, id) {
      const where = one(organizationId, id);
      const [row] = await run<Row>(
        tx,
        sql`select ${columns} from ${named} where ${where} for no key update`,
      );
      return row ?? null;
    },
    async remove(tx, organizationId, id) {
      await run(tx, sql`delete from ${named} where ${one(organizationId, id)}`);
    },
  };
}

/** The one row that an insert, or an update of a locked row, returns. */
export async function saved<Row>(statement: Promise<Row[]>): Promise<Row> {
  const [row] = await statement;
  if (row === undefined) throw new Error('the statement returned no row');
  return row;
}
