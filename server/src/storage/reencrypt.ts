import { UNBOUND_VERSION } from '../runtime/index.ts';
import { run, sql } from './sql.ts';
import type { Transactions } from './storage.ts';

/** A column of encrypted values, in a table with the columns `organization_id` and `id`. */
export interface EncryptedColumn {
  readonly table: string;
  readonly column: string;
  /** The same value, bound to its row. */
  rebind(row: { readonly organizationId: string; readonly id: string }, value: Buffer): Buffer;
}

const ROWS_PER_STEP = 500;

const BEFORE_ALL = '00000000-0000-0000-0000-000000000000';

/**
 * Re-encrypts values of the first version of the envelope, a batch of rows at a time. A value that cannot be
 * read stays as it is. Answers how many those were.
 */
export async function reencrypt(
  storage: Transactions,
  { table, column, rebind }: EncryptedColumn,
): Promise<number> {
  const [named, value] = [sql.identifier(table), sql.identifier(column)];
  let unreadable = 0;
  const step = (after: string) =>
    storage.transaction(async (tx) => {
      const rows = await run<{ organizationId: string; id: string; value: Buffer }>(
        tx,
        sql`select organization_id as "organizationId", id, ${value} as value from ${named}
            where id > ${after} and ${value} is not null and octet_length(${value}) > 0
              and get_byte(${value}, 0) = ${UNBOUND_VERSION}
            order by id limit ${ROWS_PER_STEP} for no key update`,
      );
      for (const row of rows) {
        const bound = attempt(() => rebind(row, row.value));
        if (bound === null) unreadable += 1;
        else
          await run(
            tx,
            sql`update ${named} set ${value} = ${bound} where organization_id = ${row.organizationId} and id = ${row.id}`,
          );
      }
      return rows.at(-1)?.id;
    });
  for (let last: string | undefined = BEFORE_ALL; last !== undefined; ) last = await step(last);
  return unreadable;
}

function attempt(work: () => Buffer): Buffer | null {
  try {
    return work();
  } catch {
    return null;
  }
}
