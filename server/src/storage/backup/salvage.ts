import pg from 'pg';
import { to as copyTo } from 'pg-copy-streams';
import type { Table } from './catalogue.ts';

/** What of a damaged table is not in the backup. */
export interface Loss {
  readonly table: string;
  /** Pages of which no row can be read. */
  readonly pages: readonly number[];
  /** Rows, as `(page,row)`, of pages that can be read otherwise. */
  readonly rows: readonly string[];
}

/** Pages from the first to before the last, or single rows. */
type Part = { readonly from: number; readonly to: number } | { readonly ctids: readonly string[] };

/** Corrupted data or index, an internal error over such data, and a file that cannot be read. */
const DAMAGE_STATES: readonly string[] = ['XX000', 'XX001', 'XX002', '58030', '58P01'];
/** More rows than this do not fit on a page. */
const MAX_ROWS_PER_PAGE = 291;

export function isDamage(error: unknown): boolean {
  return error instanceof pg.DatabaseError && DAMAGE_STATES.includes(error.code ?? '');
}

const escaped = ({ name }: Table) => pg.escapeIdentifier(name);

export function copyOut(table: Table, part?: Part): string {
  const columns = table.columns.map(pg.escapeIdentifier).join(', ');
  if (!part) return `COPY ${escaped(table)} (${columns}) TO STDOUT (FORMAT binary)`;
  const where =
    'ctids' in part
      ? `ctid = ANY ('{${part.ctids.map((ctid) => `"${ctid}"`).join()}}'::tid[])`
      : `ctid >= '(${part.from},0)' AND ctid < '(${part.to},0)'`;
  return `COPY (SELECT ${columns} FROM ${escaped(table)} WHERE ${where}) TO STDOUT (FORMAT binary)`;
}

/** Runs work that may find damage, within the transaction and without ending it. */
async function isWhole(client: pg.Client, work: () => Promise<unknown>): Promise<boolean> {
  await client.query('SAVEPOINT salvage');
  try {
    await work();
    return true;
  } catch (error) {
    if (!isDamage(error)) throw error;
    await client.query('ROLLBACK TO SAVEPOINT salvage');
    return false;
  }
}

/**
 * Finds the readable rows of a damaged table: halves ranges of pages until each can be read or is
 * one page, and looks at each row of such a page. Reads the table about twice.
 */
export async function findReadable(
  client: pg.Client,
  table: Table,
): Promise<{ readonly parts: readonly Part[]; readonly loss: Loss }> {
  // A scan of the whole table would meet the damage also where only a range is asked for.
  await client.query('SET LOCAL enable_seqscan = off');
  const { rows } = await client.query<{ pages: number }>(
    `SELECT pg_relation_size($1::regclass) / current_setting('block_size')::int AS pages`,
    [escaped(table)],
  );
  const parts: Part[] = [];
  const loss = { table: table.name, pages: [] as number[], rows: [] as string[] };

  const canRead = (part: Part) =>
    isWhole(client, async () => {
      for await (const _ of client.query(copyTo(copyOut(table, part))));
    });

  async function inspectPage(page: number): Promise<void> {
    const probe = `SELECT FROM ${escaped(table)} WHERE ctid = '(${page},1)'`;
    if (!(await isWhole(client, () => client.query(probe)))) {
      loss.pages.push(page);
      return;
    }
    const ctids: string[] = [];
    for (let row = 1; row <= MAX_ROWS_PER_PAGE; row += 1) {
      const ctid = `(${page},${row})`;
      (await canRead({ ctids: [ctid] })) ? ctids.push(ctid) : loss.rows.push(ctid);
    }
    parts.push({ ctids });
  }

  async function inspect(from: number, to: number): Promise<void> {
    if (from >= to) return;
    if (await canRead({ from, to })) {
      parts.push({ from, to });
    } else if (to - from === 1) {
      await inspectPage(from);
    } else {
      const middle = Math.floor((from + to) / 2);
      await inspect(from, middle);
      await inspect(middle, to);
    }
  }

  await inspect(0, rows[0]?.pages ?? 0);
  return { parts, loss };
}
