import type pg from 'pg';

/** A table with what COPY writes and reads of it. */
export interface Table {
  readonly name: string;
  readonly columns: readonly string[];
}

/** One table refers to another. */
export interface Dependency {
  readonly from: string;
  readonly to: string;
}

export interface Sequence {
  readonly name: string;
  readonly value: number;
}

/** Written by migrations themselves, so backups leave it out. */
const MIGRATIONS_TABLE = 'schema_migrations';

/** Each table after those that it refers to, so that no reference is missing while they fill. */
export function inOrderOfReferences(
  tables: readonly Table[],
  dependencies: readonly Dependency[],
): readonly Table[] {
  const ordered: Table[] = [];
  const waiting = new Map(tables.map((table) => [table.name, table]));
  while (waiting.size > 0) {
    const free = [...waiting.values()].filter(
      ({ name }) => !dependencies.some(({ from, to }) => from === name && waiting.has(to)),
    );
    if (free.length === 0) throw new Error(`${[...waiting.keys()].join(', ')} refer to each other`);
    for (const table of free) waiting.delete(table.name);
    ordered.push(...free);
  }
  return ordered;
}

export async function listTables(client: pg.Client): Promise<readonly Table[]> {
  const { rows: tables } = await client.query<Table>(
    `SELECT c.relname AS name, array_agg(a.attname::text ORDER BY a.attnum) AS columns
     FROM pg_class c JOIN pg_attribute a ON a.attrelid = c.oid
     WHERE c.relnamespace = current_schema()::regnamespace AND c.relkind = 'r' AND c.relname <> $1
       AND a.attnum > 0 AND NOT a.attisdropped AND a.attgenerated = ''
     GROUP BY c.relname ORDER BY c.relname`,
    [MIGRATIONS_TABLE],
  );
  const { rows: dependencies } = await client.query<Dependency>(
    `SELECT DISTINCT f.relname AS "from", t.relname AS "to"
     FROM pg_constraint k JOIN pg_class f ON f.oid = k.conrelid JOIN pg_class t ON t.oid = k.confrelid
     WHERE k.contype = 'f' AND f.oid <> t.oid AND f.relnamespace = current_schema()::regnamespace`,
  );
  return inOrderOfReferences(tables, dependencies);
}

/** Those that were drawn from at least once. */
export async function listSequences(client: pg.Client): Promise<readonly Sequence[]> {
  const { rows } = await client.query<Sequence>(
    `SELECT sequencename AS name, last_value AS value FROM pg_sequences
     WHERE schemaname = current_schema() AND last_value IS NOT NULL ORDER BY 1`,
  );
  return rows;
}
