import pg from 'pg';

/** Storage that becomes unavailable to every connection of one database. */
export interface Outage {
  /** Storage is unavailable while the work runs, and available again afterwards. */
  during(work: () => Promise<void>): Promise<void>;
}

/** Ends all connections to a database and lets no new ones in. Connections made before are lost. */
export function createOutage(databaseUrl: string): Outage {
  const url = new URL(databaseUrl);
  const name = url.pathname.slice(1);
  url.pathname = '/postgres';
  const execute = async (sql: string) => {
    const client = new pg.Client({ connectionString: url.href });
    await client.connect();
    await client.query(sql).finally(() => client.end());
  };
  const allow = (isAllowed: boolean) =>
    execute(`alter database "${name}" with allow_connections ${isAllowed}`);
  return {
    async during(work) {
      await allow(false);
      await execute(
        `select pg_terminate_backend(pid) from pg_stat_activity
         where datname = '${name}' and application_name like 'fieldwatch%'`,
      );
      await work().finally(() => allow(true));
    },
  };
}
