import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import type { Queries } from './storage.ts';

export { sql };

/** A piece of SQL with its values; pieces go into each other, values never into the text. */
export type Sql = RawBuilder<unknown>;

/** Only writes statements; running them stays with our own pool and transactions. */
const compiler = new Kysely<never>({
  dialect: {
    createAdapter: () => new PostgresAdapter(),
    createDriver: () => new DummyDriver(),
    createIntrospector: (db) => new PostgresIntrospector(db),
    createQueryCompiler: () => new PostgresQueryCompiler(),
  },
});

export function run<Row extends object>(db: Queries, statement: Sql): Promise<Row[]> {
  const compiled = statement.compile(compiler);
  return db.query<Row>(compiled.sql, compiled.parameters);
}

/** Conditions joined by AND; none at all is true. */
export function all(conditions: readonly (Sql | undefined)[]): Sql {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? sql`true` : sql.join(given, sql` and `);
}

/** A literal substring of a folded column: `%` and `_` and `\\` have no power. An empty one matches all. */
export function contains(column: Sql, folded: string): Sql | undefined {
  if (folded === '') return undefined;
  return sql`${column} like ${`%${folded.replaceAll(/[\\%_]/g, '\\$&')}%`}`;
}

export interface PageRequest {
  readonly skip: number;
  readonly take: number;
}

export interface Page<Row> {
  /** How many match in all, also when the page lies past the end. */
  readonly count: number;
  readonly rows: readonly Row[];
}

/** One page and the total, in two statements whatever the page. */
export async function page<Row extends object>(
  db: Queries,
  list: { columns: Sql; from: Sql; where: Sql; order: Sql },
  { skip, take }: PageRequest,
): Promise<Page<Row>> {
  const [total, rows] = await Promise.all([
    run<{ count: number }>(db, sql`select count(*) from ${list.from} where ${list.where}`),
    run<Row>(
      db,
      sql`select ${list.columns} from ${list.from} where ${list.where}
          order by ${list.order} limit ${take} offset ${skip}`,
    ),
  ]);
  return { count: total[0]?.count ?? 0, rows };
}
