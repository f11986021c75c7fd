import { createHmac } from 'node:crypto';
import pg from 'pg';

/**
 * Whom the server signs in as: an ordinary role that owns its database and nothing else. The
 * superuser serves the supervisor alone: locking the data directory, and making this role.
 */
export const SERVER_ROLE = 'fieldwatch_server';

/** Follows from the superuser's, so that no other file has to be kept. */
export function serverPassword(password: string): string {
  return createHmac('sha256', password).update(SERVER_ROLE).digest('base64url');
}

/** Makes the role and its database where they are missing. `client` is a superuser elsewhere. */
export async function ensureServerDatabase(
  client: pg.Client,
  database: string,
  password: string,
): Promise<void> {
  const role = pg.escapeIdentifier(SERVER_ROLE);
  const has = async (sql: string, name: string) => (await client.query(sql, [name])).rowCount === 1;
  if (!(await has('SELECT FROM pg_roles WHERE rolname = $1', SERVER_ROLE))) {
    await client.query(`CREATE ROLE ${role} LOGIN`);
  }
  await client.query(
    `ALTER ROLE ${role} NOSUPERUSER NOCREATEDB NOCREATEROLE NOREPLICATION NOBYPASSRLS
     PASSWORD ${pg.escapeLiteral(serverPassword(password))}`,
  );
  if (await has('SELECT FROM pg_database WHERE datname = $1', database)) {
    await client.query(`ALTER DATABASE ${pg.escapeIdentifier(database)} OWNER TO ${role}`);
  } else {
    await client.query(`CREATE DATABASE ${pg.escapeIdentifier(database)} OWNER ${role}`);
  }
}

/** Sequences of a column follow their table, and members of an extension stay the extension's. */
const INDEPENDENT = `NOT EXISTS (
  SELECT FROM pg_depend d WHERE d.objid = o.oid AND d.deptype IN ('e', 'a', 'i')
    AND d.refclassid IN ('pg_extension'::regclass, 'pg_class'::regclass))`;

/** What an older version made as superuser in the server's database becomes the server's. */
const HAND_OVER = `DO $$
  DECLARE command text;
  BEGIN
    FOR command IN
      SELECT format('ALTER %s %s OWNER TO ${SERVER_ROLE}',
        CASE o.relkind WHEN 'S' THEN 'SEQUENCE' WHEN 'v' THEN 'VIEW' ELSE 'TABLE' END,
        o.oid::regclass)
      FROM pg_class o
      WHERE o.relnamespace = 'public'::regnamespace AND o.relkind IN ('r', 'p', 'S', 'v')
        AND pg_get_userbyid(o.relowner) <> '${SERVER_ROLE}' AND ${INDEPENDENT}
      UNION ALL
      SELECT format('ALTER %s %s OWNER TO ${SERVER_ROLE}',
        CASE o.prokind WHEN 'p' THEN 'PROCEDURE' WHEN 'a' THEN 'AGGREGATE' ELSE 'FUNCTION' END,
        o.oid::regprocedure)
      FROM pg_proc o
      WHERE o.pronamespace = 'public'::regnamespace
        AND pg_get_userbyid(o.proowner) <> '${SERVER_ROLE}' AND ${INDEPENDENT}
      UNION ALL
      SELECT format('ALTER TYPE %s OWNER TO ${SERVER_ROLE}', o.oid::regtype)
      FROM pg_type o
      WHERE o.typnamespace = 'public'::regnamespace AND o.typtype IN ('e', 'd')
        AND pg_get_userbyid(o.typowner) <> '${SERVER_ROLE}' AND ${INDEPENDENT}
    LOOP
      EXECUTE command;
    END LOOP;
  END $$`;

/** `config` is that of a superuser in the server's database. */
export async function handOver(config: pg.ClientConfig): Promise<void> {
  const client = new pg.Client(config);
  client.on('error', () => undefined);
  await client.connect();
  try {
    await client.query(HAND_OVER);
  } finally {
    await client.end();
  }
}
