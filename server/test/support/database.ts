import pg from 'pg';

/** Columns that move by themselves and say nothing of whether a request changed something. */
const RESTLESS = ['last_used_at'];

/** A digest of each table's content. */
export async function digest(databaseUrl: string): Promise<Record<string, string>> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ table: string }>(
      `select table_name as "table" from information_schema.tables where table_schema = 'public'`,
    );
    const digests: Record<string, string> = {};
    for (const { table } of rows) {
      const { rows: found } = await client.query<{ digest: string }>(
        `select md5(coalesce(string_agg(line, '|' order by line), '')) as digest
         from (select (to_jsonb(t) - $1::text[])::text as line from "${table}" t) lines`,
        [RESTLESS],
      );
      digests[table] = found[0]?.digest ?? '';
    }
    return digests;
  } finally {
    await client.end();
  }
}

/** When a Device was last heard of, as it is written down; null when never. */
export async function lastSeenAt(databaseUrl: string, deviceId: string): Promise<number | null> {
  const client = new pg.Client({ connectionString: databaseUrl });
  await client.connect();
  try {
    const { rows } = await client.query<{ at: Date | null }>(
      'select last_seen_at as at from devices where id = $1',
      [deviceId],
    );
    return rows[0]?.at?.getTime() ?? null;
  } finally {
    await client.end();
  }
}
