import { all } from './conditions.ts';
import { run, type Sql, sql } from './sql.ts';
import type { Queries } from './storage.ts';

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
  /** Of a list that has a search, by the names of its columns; newest first unless it says otherwise. */
  readonly foundOrder?: Sql;
  /** Further columns, found for the rows of the page alone; they refer to a row as `page`. */
  readonly ofPage?: Sql;
}

const NEWEST_FIRST = sql`created_at desc, id desc`;
/** The same order, by the names that the columns have in the result. */
const FOUND_ORDER = sql`"createdAt" desc, id desc`;

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
  { columns, from, where, search, order = NEWEST_FIRST, foundOrder = FOUND_ORDER, ofPage }: List,
  { skip, take }: PageRequest,
): Promise<Page<Row>> {
  const matching = all([where, search]);
  const selected = sql`page.*, ${ofPage ? sql`${ofPage}, ` : sql``}total.count as "$count"`;
  // A search is made once, for the total and for the page. The CTE is also an optimization fence:
  // without it the planner scans all rows from the newest on until enough have matched.
  const statement = search
    ? sql`with found as materialized (select ${columns} from ${from} where ${matching})
        select ${selected} from (select count(*) from found) total
        left join (
          select top.*, row_number() over (order by ${foundOrder}) as "$position"
          from (select * from found order by ${foundOrder} limit ${take} offset ${skip}) top
        ) page on true
        order by "$position"`
    : sql`select ${selected} from (select count(*) from ${from} where ${matching}) total
        left join (
          select ${columns}, row_number() over (order by ${order}) as "$position"
          from ${from} where ${matching} order by ${order} limit ${take} offset ${skip}
        ) page on true
        order by "$position"`;
  const found = await run<Row & Positioned>(db, statement, { isPrepared: search !== undefined });
  const count = found[0]?.$count ?? 0;
  const rows = found.filter(({ $position }) => $position !== null);
  for (const row of rows) {
    delete row.$count;
    delete row.$position;
  }
  return { count, rows };
}
