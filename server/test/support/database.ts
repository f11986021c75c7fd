import pg from 'pg';

/** Columns that move by themselves and say nothing of whether a request changed something. */
const RESTLESS = ['last_used_at'];
/** What a server records of its own accord: the time, and its lease. */
const RESTLESS_TABLES = ['clock_record', 'nodes'];

/** Asks a database on a connection of its own. */
export async function rowsIn<Row extends pg.QueryResultRow>(
  databaseUrl: string,
  sql: string,
  params: readonly unknown[] = [],
): Promise<readonly Row[]> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    return (await client.query<Row>(sql, [...params])).rows;
  } finally {
    await client.end();
  }
}

/** A digest of each table's content. */
export async function digest(databaseUrl: string): Promise<Record<string, string>> {
  const tables = await rowsIn<{ table: string }>(
    databaseUrl,
    `select table_name as "table" from information_schema.tables
     where table_schema = 'public' and table_name <> all ($1)`,
    [RESTLESS_TABLES],
  );
  const each = tables.map(
    ({ table }) =>
      `select '${table}' as "table", md5(coalesce(string_agg(line, '|' order by line), '')) as digest
       from (select (to_jsonb(t) - $1::text[])::text as line from "${table}" t) lines`,
  );
  const digests = await rowsIn<{ table: string; digest: string }>(
    databaseUrl,
    each.join(' union all '),
    [RESTLESS],
  );
  return Object.fromEntries(digests.map(({ table, digest }) => [table, digest]));
}

/** When a Device was last seen, as it is written down; null when never. */
export async function lastSeenAt(databaseUrl: string, deviceId: string): Promise<number | null> {
  const [device] = await rowsIn<{ at: Date | null }>(
    databaseUrl,
    'select last_seen_at as at from devices where id = $1',
    [deviceId],
  );
  return device?.at?.getTime() ?? null;
}
