import {
  DummyDriver,
  Kysely,
  PostgresAdapter,
  PostgresIntrospector,
  PostgresQueryCompiler,
  type RawBuilder,
  sql,
} from 'kysely';
import { isUuid } from '../runtime/index.ts';
import type { Queries, Statement, Transaction } from './storage.ts';

export { sql };

/** An SQL fragment with its values. Fragments nest; values are always parameters, never text. */
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

export function statementOf(fragment: Sql): Statement {
  const { sql: text, parameters: params } = fragment.compile(compiler);
  return { sql: text, params };
}

export function run<Row extends object>(db: Queries, fragment: Sql): Promise<Row[]> {
  const { sql: text, params } = statementOf(fragment);
  return db.query<Row>(text, params);
}

/** Runs the statements in order, without waiting for each result (pipelining). */
export async function runAll(tx: Transaction, statements: Iterable<Statement>): Promise<void> {
  const answers: Promise<unknown>[] = [];
  for (const { sql: text, params } of statements) {
    const answer = tx.query(text, params);
    // The iterable of statements may fail before this promise is awaited.
    answer.catch(() => undefined);
    answers.push(answer);
  }
  await Promise.all(answers);
}

/** Conditions joined by AND; none at all is true. */
export function all(conditions: readonly (Sql | undefined)[]): Sql {
  const given = conditions.filter((condition) => condition !== undefined);
  return given.length === 0 ? sql`true` : sql.join(given, sql` and `);
}

/** A literal substring of a folded column: `%`, `_` and `\\` are escaped. An empty one matches all. */
export function contains(column: Sql, folded: string): Sql | undefined {
  if (folded === '') return undefined;
  return sql`${column} like ${`%${folded.replaceAll(/[\\%_]/g, '\\$&')}%`}`;
}

/** One of the ids. A malformed id matches nothing; an empty list filters nothing. */
export function among(column: Sql, ids: readonly string[]): Sql | undefined {
  return ids.length === 0 ? undefined : sql`${column} = any(${ids.filter(isUuid)}::uuid[])`;
}

/** Only archived rows, only active ones, or both. */
export function inScope(scope: 'active' | 'archived' | 'all'): Sql | undefined {
  if (scope === 'all') return undefined;
  return scope === 'active' ? sql`archived_at is null` : sql`archived_at is not null`;
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

export interface List {
  /** Has `id` and `"createdAt"` among them. */
  readonly columns: Sql;
  readonly from: Sql;
  readonly where: Sql;
  /** A search within what `where` leaves; undefined when there is none. */
  readonly search?: Sql | undefined;
  /** Of a list that has no search; newest first unless it says otherwise. */
  readonly order?: Sql;
  /** Further columns, found for the rows of the page alone; they refer to a row as `page`. */
  readonly ofPage?: Sql;
}

const NEWEST_FIRST = sql`created_at desc, id desc`;

/** What `page` selects beside the columns of a row; null in the one row of an empty page. */
interface Positioned {
  $position?: number | null;
  $count?: number;
}

/**
 * One page, newest first, and the total, in one statement: both are of one snapshot, whatever is
 * written meanwhile. A page past the end still has its total.
 */
export async function page<Row extends object>(
  db: Queries,
  { columns, from, where, search, order = NEWEST_FIRST, ofPage }: List,
  { skip, take }: PageRequest,
): Promise<Page<Row>> {
  const matching = all([where, search]);
  // `offset 0` is an optimization fence: PostgreSQL finds the rows of a search first and sorts them
  // then. Without it the planner scans all rows from the newest on until enough have matched.
  const [selected, source, sorted] = search
    ? [
        sql`found.*`,
        sql`(select ${columns} from ${from} where ${matching} offset 0) found`,
        sql`"createdAt" desc, id desc`,
      ]
    : [columns, sql`${from} where ${matching}`, order];
  const found = await run<Row & Positioned>(
    db,
    sql`select page.*, ${ofPage ? sql`${ofPage}, ` : sql``}total.count as "$count"
        from (select count(*) from ${from} where ${matching}) total
        left join (
          select ${selected}, row_number() over (order by ${sorted}) as "$position"
          from ${source} order by ${sorted} limit ${take} offset ${skip}
        ) page on true
        order by "$position"`,
  );
  const count = found[0]?.$count ?? 0;
  const rows = found.filter(({ $position }) => $position !== null);
  for (const row of rows) {
    delete row.$count;
    delete row.$position;
  }
  return { count, rows };
}
