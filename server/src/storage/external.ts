import pg from 'pg';
import { connectReason, StartFailure } from '../runtime/index.ts';
import { connectionDefaults, type Target } from './pool.ts';

const OLDEST_MAJOR = 15;

/** Values are read back in this form, whatever the database or its role prefers. */
const SESSION_OPTIONS = '-c DateStyle=ISO -c TimeZone=UTC';

const REASONS: Readonly<Record<string, string>> = {
  ENOENT: 'there is no such socket',
  '28P01': 'the password is wrong',
  '28000': 'the server refuses this user',
  '3D000': 'there is no such database',
};

function parseUrl(databaseUrl: string): URL {
  // A URL of a Unix socket has no host before the path; a placeholder makes it parse.
  const text = databaseUrl.replace('@/', '@localhost/').replace(/^(\w+):\/\/\//, '$1://localhost/');
  const url = URL.canParse(text) ? new URL(text) : null;
  if (url?.protocol !== 'postgresql:' && url?.protocol !== 'postgres:') {
    throw new StartFailure(
      'DATABASE_URL is not a PostgreSQL URL, such as postgresql://user:password@host:5432/database.',
    );
  }
  return url;
}

async function readVersion(target: Target): Promise<number> {
  const client = new pg.Client({ ...connectionDefaults, ...target() });
  client.on('error', () => undefined);
  await client.connect();
  try {
    const { rows } = await client.query<{ version: number }>(
      `SELECT current_setting('server_version_num')::int AS version`,
    );
    return rows[0]?.version ?? 0;
  } finally {
    await client.end();
  }
}

/** `version` as PostgreSQL counts: 150003 is 15.3. */
export function assertNewEnough(version: number, shown: string): void {
  const major = Math.floor(version / 10_000);
  if (major >= OLDEST_MAJOR) return;
  throw new StartFailure(
    `DATABASE_URL: the server at ${shown} is PostgreSQL ${major}; ${OLDEST_MAJOR} or newer is needed.`,
  );
}

/** The given PostgreSQL, after it has answered and shown itself new enough. */
export async function reachExternal(databaseUrl: string): Promise<Target> {
  const url = parseUrl(databaseUrl);
  const shown = `${url.searchParams.get('host') ?? url.host}${url.pathname}`;
  const theirs = url.searchParams.get('options');
  url.searchParams.set('options', theirs ? `${theirs} ${SESSION_OPTIONS}` : SESSION_OPTIONS);
  const target = () => ({ connectionString: url.href });
  const version = await readVersion(target).catch((error: unknown) => {
    throw new StartFailure(
      `DATABASE_URL: the database at ${shown} cannot be reached: ${connectReason(error, REASONS)}.`,
      { cause: error },
    );
  });
  assertNewEnough(version, shown);
  return target;
}
