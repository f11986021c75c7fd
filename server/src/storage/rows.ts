import { fold } from '../runtime/index.ts';
import { all, contains } from './conditions.ts';
import { type Page, type PageRequest, page } from './page.ts';
import { run, type Sql, sql } from './sql.ts';
import type { Queries, Transaction } from './storage.ts';

export interface NameFilter {
  /** A part of the name, in any case; an empty one filters nothing. */
  readonly search: string;
  /** A further condition. */
  readonly where?: Sql | undefined;
}

/** The rows of a table that has the columns `organization_id` and `id`. */
export interface Rows<Row> {
  find(db: Queries, organizationId: string, id: string): Promise<Row | null>;
  /** The row that this transaction has written. */
  get(tx: Transaction, organizationId: string, id: string): Promise<Row>;
  /** Newest first. The table has the column `name_folded`, too. */
  list(
    db: Queries,
    organizationId: string,
    filter: NameFilter,
    request: PageRequest,
  ): Promise<Page<Row>>;
  /** Locks the row until the transaction ends; other rows may still refer to it. */
  lock(tx: Transaction, organizationId: string, id: string): Promise<Row | null>;
  remove(tx: Transaction, organizationId: string, id: string): Promise<void>;
}

export function rowsOf<Row extends object>(table: string, columns: Sql): Rows<Row> {
  const named = sql.identifier(table);
  const one = (organizationId: string, id: string) =>
    sql`organization_id = ${organizationId} and id = ${id}`;
  const select = (db: Queries, organizationId: string, id: string) =>
    run<Row>(db, sql`select ${columns} from ${named} where ${one(organizationId, id)}`);
  return {
    async find(db, organizationId, id) {
      const [row] = await select(db, organizationId, id);
      return row ?? null;
    },
    get(tx, organizationId, id) {
      return saved(select(tx, organizationId, id));
    },
    list(db, organizationId, { search, where: condition }, request) {
      const where = all([sql`organization_id = ${organizationId}`, condition]);
      const found = contains(sql`name_folded`, fold(search));
      return page(db, { columns, from: named, where, search: found }, request);
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

/** The one row of a statement that writes it, locks it before or reads it back. */
export async function saved<Row>(statement: Promise<Row[]>): Promise<Row> {
  const [row] = await statement;
  if (row === undefined) throw new Error('the statement returned no row');
  return row;
}
