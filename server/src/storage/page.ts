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
