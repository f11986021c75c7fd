import { invalid } from '../runtime/index.ts';
import { run, sql } from './sql.ts';
import type { Transaction } from './storage.ts';

/** A table whose rows may have a parent in the same table and organization. */
export interface Tree {
  readonly table: string;
  readonly parentColumn: string;
  /** The field of the body that names the parent. */
  readonly path: string;
}

/**
 * Fails when the row would become its own ancestor. Moves within one organization's tree wait for
 * each other, since two that are harmless alone can make a loop together.
 */
export async function requireNoLoop(
  tx: Transaction,
  organizationId: string,
  { table, parentColumn, path }: Tree,
  move: { readonly id: string; readonly parentId: string },
): Promise<void> {
  await run(
    tx,
    sql`select pg_advisory_xact_lock(hashtextextended(${`${table}:${organizationId}`}, 0))`,
  );
  const parent = sql.identifier(parentColumn);
  const [loop] = await run<object>(
    tx,
    sql`with recursive ancestors (id) as (
          select ${move.parentId}::uuid
          union
          select row.${parent} from ancestors join ${sql.identifier(table)} row
            on row.organization_id = ${organizationId} and row.id = ancestors.id
          where row.${parent} is not null
        )
        select 1 from ancestors where id = ${move.id}::uuid`,
  );
  if (loop) throw invalid({ path, message: 'would make a loop' });
}
