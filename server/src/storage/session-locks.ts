import pg from 'pg';
import { endsWithin } from '../runtime/index.ts';
import { storageUnavailable } from './errors.ts';
import { connectionDefaults, type Target } from './pool.ts';
import type { LockKey, SessionLocks } from './storage.ts';

const CHECK_INTERVAL_MS = 5_000;
const ANSWER_LIMIT_MS = 5_000;
const END_LIMIT_MS = 2_000;

/**
 * Opens a session for locks on a connection of its own. `onLost` is called once when the connection
 * is lost, and not after `end`.
 */
export async function openSessionLocks(target: Target, onLost: () => void): Promise<SessionLocks> {
  const client = new pg.Client({
    ...connectionDefaults,
    query_timeout: ANSWER_LIMIT_MS,
    ...target(),
  });
  let isOpen = true;
  let timer: NodeJS.Timeout | undefined;

  async function end(): Promise<void> {
    isOpen = false;
    clearTimeout(timer);
    await endsWithin(
      END_LIMIT_MS,
      client.end().catch(() => undefined),
    );
  }

  function lose(): void {
    if (!isOpen) return;
    void end();
    onLost();
  }

  /**
   * A connection whose other end is gone may stay silent for ever, and a former primary still answers
   * though its locks count no longer. So the session is checked periodically.
   */
  function checkLater(): void {
    timer = setTimeout(() => {
      client
        .query<{ demoted: boolean }>('select pg_is_in_recovery() as demoted')
        .then(({ rows }) => {
          if (rows[0]?.demoted) lose();
          else if (isOpen) checkLater();
        }, lose);
    }, CHECK_INTERVAL_MS).unref();
  }

  async function ask(sql: string, { space, number }: LockKey): Promise<boolean> {
    try {
      const { rows } = await client.query<{ answer: boolean }>(sql, [space, number]);
      return rows[0]?.answer === true;
    } catch (error) {
      throw storageUnavailable(error);
    }
  }

  // A connection that breaks while it opens rejects below.
  client.on('error', () => undefined);
  try {
    await client.connect();
  } catch (error) {
    await end();
    throw storageUnavailable(error);
  }
  client.on('error', lose);
  client.on('end', lose);
  checkLater();
  return {
    tryLock: (key) => ask('select pg_try_advisory_lock($1::int, $2::int) as answer', key),
    async unlock(key) {
      await ask('select pg_advisory_unlock($1::int, $2::int) as answer', key);
    },
    end,
  };
}
