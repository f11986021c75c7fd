import { type Queries, run, type Sql, sql } from '../../storage/index.ts';

/*
 * The order of the alarm event log. Entries are numbered by a sequence when they are inserted, and
 * transactions may commit in another order than that of their numbers. A reader that continues after
 * the greatest number that it has seen would pass a lower one that is not committed yet. So no reader
 * goes beyond the horizon: the lowest number that a transaction in progress may have drawn.
 *
 * Invariant: an entry below a horizon that was ever found is visible to every statement that starts
 * afterwards, or never will be to any.
 *
 * A writer holds a shared advisory lock from before it draws its first number until its transaction
 * has ended. The key of the lock states the next number of the sequence, which is a lower bound for
 * all numbers that it draws. A reader notes the next number of the sequence first, then the locks,
 * and then reads the entries in another statement. For each writer:
 *   - Its lock is seen: the horizon is not above its lower bound.
 *   - Its lock is taken after the look at the locks: it draws its numbers still later, and they are
 *     not below the next number that was noted before.
 *   - Its lock is released before the look at the locks: PostgreSQL makes a transaction visible
 *     before it releases its locks, and the entries are read by a later snapshot.
 * A writer that is halted between noting its lower bound and taking its lock makes a later horizon
 * lower than an earlier one. The earlier one stays valid: whatever that writer draws is above it.
 *
 * Shared locks do not wait for each other. A writer neither waits for readers nor makes them wait:
 * they read what is below the horizon, and look again. Only transactions that write to the log of an
 * organization of the same class hold its horizon back, not flushes, backups or other databases. The
 * sequence must not be cached by sessions (`cache 1`, which is the default).
 */

/** The first of 256 lock spaces. Organizations share them by the last byte of their id. */
const LOG_WRITERS = 0x46_57_45_00;

const NEXT_NUMBER = sql`(select last_value + is_called::int as next
  from alarm_event_log_number_seq offset 0) as drawn`;

/**
 * Announces the transaction as a writer to the logs of these organizations. A statement that inserts
 * entries must take this row before it draws a number: in a materialized CTE that it joins.
 */
export function announcedLogWriter(organizationIds: readonly string[]): Sql {
  return sql`select count(pg_advisory_xact_lock_shared(space, next::bit(32)::int))
    from (select distinct ${LOG_WRITERS}::int + get_byte(uuid_send(id), 15) as space
      from unnest(${[...new Set(organizationIds)]}::uuid[]) as written (id)) as spaces
    cross join ${NEXT_NUMBER}`;
}

/**
 * The number below which the log of an organization is complete for statements that start after
 * this one. The key of a lock holds the lower 32 bits of a number; the rest follows from its distance
 * to the next number. A lower bound above the next number has a distance of 2^31 or more.
 */
export async function findLogHorizon(db: Queries, organizationId: string): Promise<number> {
  // The subquery refers to the number, which is therefore read before the locks.
  const [row] = await run<{ horizon: number }>(
    db,
    sql`select next - coalesce((select max(distance)
          from (select (next - objid::bigint) & 4294967295 as distance from pg_locks
            where locktype = 'advisory' and objsubid = 2
              and database = (select oid from pg_database where datname = current_database())
              and classid::bigint = ${LOG_WRITERS}::int
                + get_byte(uuid_send(${organizationId}::uuid), 15)) as writers
          where distance < 2147483648), 0) as horizon
        from ${NEXT_NUMBER}`,
  );
  if (!row) throw new Error('the sequence of the alarm event log gave no value');
  return row.horizon;
}
