import pg from 'pg';

/** A foreign key, as the catalogue describes it. */
interface ForeignKey {
  readonly name: string;
  readonly child: string;
  readonly parent: string;
  readonly definition: string;
  readonly columns: readonly string[];
  readonly parentColumns: readonly string[];
  /** What a deletion of the parent sets to null; empty where it deletes the child too. */
  readonly cleared: readonly string[];
}

const namesOf = (relation: string, key: string) =>
  `(SELECT array_agg(a.attname::text ORDER BY key.n)
    FROM unnest(${key}) WITH ORDINALITY AS key (attnum, n)
    JOIN pg_attribute a ON a.attrelid = ${relation} AND a.attnum = key.attnum)`;

const SELECT = `
  SELECT k.conname AS name, k.conrelid::regclass::text AS child,
    k.confrelid::regclass::text AS parent, pg_get_constraintdef(k.oid) AS definition,
    ${namesOf('k.conrelid', 'k.conkey')} AS columns,
    ${namesOf('k.confrelid', 'k.confkey')} AS "parentColumns",
    CASE WHEN k.confdeltype = 'n'
      THEN ${namesOf('k.conrelid', 'coalesce(k.confdelsetcols, k.conkey)')}
      ELSE '{}' END AS cleared
  FROM pg_constraint k
  WHERE k.contype = 'f' AND k.connamespace = current_schema()::regnamespace
  ORDER BY k.conrelid::regclass::text, k.conname`;

/** Removes all foreign keys within the transaction, so that rows without their parents can come. */
export async function dropForeignKeys(client: pg.Client): Promise<readonly ForeignKey[]> {
  const { rows } = await client.query<ForeignKey>(SELECT);
  for (const { child, name } of rows) {
    await client.query(`ALTER TABLE ${child} DROP CONSTRAINT ${pg.escapeIdentifier(name)}`);
  }
  return rows;
}

function orphansOf({ parent, columns, parentColumns }: ForeignKey): string {
  const column = (index: number) => `child.${pg.escapeIdentifier(columns[index] ?? '')}`;
  const isGiven = columns.map((_, index) => `${column(index)} IS NOT NULL`);
  const matches = parentColumns.map(
    (name, index) => `parent.${pg.escapeIdentifier(name)} = ${column(index)}`,
  );
  return `${isGiven.join(' AND ')} AND NOT EXISTS (
    SELECT FROM ${parent} parent WHERE ${matches.join(' AND ')})`;
}

/** Does to children of missing rows what the deletion of those rows would have done. */
async function repairOrphans(client: pg.Client, key: ForeignKey): Promise<number> {
  const where = orphansOf(key);
  const set = key.cleared.map((name) => `${pg.escapeIdentifier(name)} = NULL`).join(', ');
  const { rowCount } = await client.query(
    set === ''
      ? `DELETE FROM ${key.child} child WHERE ${where}`
      : `UPDATE ${key.child} child SET ${set} WHERE ${where}`,
  );
  return rowCount ?? 0;
}

/** Puts the foreign keys back; answers how many rows had to be deleted or changed for it. */
export async function restoreForeignKeys(
  client: pg.Client,
  keys: readonly ForeignKey[],
): Promise<number> {
  let repaired = 0;
  for (let before = -1; before !== repaired; ) {
    before = repaired;
    for (const key of keys) repaired += await repairOrphans(client, key);
  }
  for (const { child, name, definition } of keys) {
    await client.query(
      `ALTER TABLE ${child} ADD CONSTRAINT ${pg.escapeIdentifier(name)} ${definition}`,
    );
  }
  return repaired;
}
