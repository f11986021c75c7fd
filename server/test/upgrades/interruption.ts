import { setTimeout as pause } from 'node:timers/promises';
import pg from 'pg';
import { execute } from './fixture.ts';

const LOCK = 4_711;

/** A migration run that waits in the middle of a migration. */
export interface Interruption {
  /** The process of PostgreSQL that runs the migration, once it has got there. */
  reached(): Promise<number>;
  /** Lets migrations run again. */
  end(): Promise<void>;
}

/**
 * Holds the migration that follows version `after`: at the end of its first statement that changes
 * the schema, with that change not yet committed.
 */
export async function interruptMigration(url: string, after: number): Promise<Interruption> {
  await execute(
    url,
    `create function hold_migration() returns event_trigger language plpgsql as $$
     begin
       if (select max(version) from public.schema_migrations) = ${after} then
         perform pg_advisory_lock(${LOCK});
       end if;
     end $$;
     create event trigger hold_migration on ddl_command_end execute function hold_migration();`,
  );
  const holder = new pg.Client({ connectionString: url });
  holder.on('error', () => undefined);
  await holder.connect();
  await holder.query(`select pg_advisory_lock(${LOCK})`);
  return {
    async reached() {
      for (;;) {
        const waiting = await holder.query<{ pid: number }>(
          `select pid from pg_locks where locktype = 'advisory' and objid = ${LOCK} and not granted
           and database = (select oid from pg_database where datname = current_database())`,
        );
        const [first] = waiting.rows;
        if (first) return first.pid;
        await pause(20);
      }
    },
    async end() {
      await holder.end().catch(() => undefined);
      await execute(url, 'drop event trigger hold_migration; drop function hold_migration()');
    },
  };
}
