import type { FieldError } from '@fieldwatch/contract';
import { invalid } from '../runtime/index.ts';
import { run, sql } from './sql.ts';
import type { Transaction } from './storage.ts';

/** The tables that fields refer to: each has the columns `organization_id` and `id`. */
type ReferencedTable =
  | 'alarm_groups'
  | 'alarms'
  | 'assets'
  | 'codecs'
  | 'dashboards'
  | 'devices'
  | 'escalation_policies'
  | 'locations'
  | 'lorawan_networks'
  | 'rotas'
  | 'variable_folders'
  | 'variables'
  | 'webhooks';

/** A field of a body that names a row of another table. */
export interface Reference {
  readonly path: string;
  readonly table: ReferencedTable;
  /** Null and undefined name nothing and need not exist. */
  readonly id: string | null | undefined;
}

/**
 * Fails naming every reference that does not exist in the organization. What exists is kept from
 * being deleted until the transaction ends.
 */
export async function requireReferences(
  tx: Transaction,
  organizationId: string,
  references: readonly Reference[],
): Promise<void> {
  const given = references.filter((each): each is Reference & { id: string } => each.id != null);
  const errors: FieldError[] = [];
  for (const table of new Set(given.map((each) => each.table))) {
    const members = given.filter((each) => each.table === table);
    const ids = [...new Set(members.map(({ id }) => id))].sort();
    const found = await run<{ id: string }>(
      tx,
      sql`select id from ${sql.identifier(table)}
          where organization_id = ${organizationId} and id = any(${ids}::uuid[])
          order by id for key share`,
    );
    const known = new Set(found.map(({ id }) => id));
    for (const { path, id } of members) {
      if (!known.has(id.toLowerCase())) {
        errors.push({ path, message: `names nothing that exists in this organization: ${id}` });
      }
    }
  }
  if (errors.length > 0) throw invalid(...errors);
}
