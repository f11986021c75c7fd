import { randomBytes } from 'node:crypto';
import { Failure } from '../runtime/index.ts';
import { storageUnavailable } from './errors.ts';
import type { Statement, Transactions, WriteProbe } from './storage.ts';
import { within } from './within.ts';

const ANSWER_LIMIT_MS = 2_000;
const OUTCOME_LIFETIME_MS = 2_000;

/** A probe that waits for a lock gives up before its caller does. */
const LOCK_LIMIT_MS = 1_500;

/**
 * Writes as all writes do, and keeps nothing: a new file of one page, which takes space on the
 * disk, and a commit, which takes the log. A row of an existing table would go on fitting on a
 * full disk, and a table that stays would be locked by a dump of the database. Servers on one
 * database probe at the same time, so that each has a name of its own.
 */
function probeStatements(): readonly Statement[] {
  const table = `storage_write_probe_${randomBytes(6).toString('hex')}`;
  return [
    `SET LOCAL lock_timeout = ${LOCK_LIMIT_MS}`,
    `CREATE TABLE ${table} AS SELECT 1 AS written`,
    `DROP TABLE ${table}`,
  ].map((sql) => ({ sql, params: [] }));
}

const NOTHING_ELSE = (): readonly Statement[] => [];

/**
 * A probe that also runs the statements `also`. One probe at a time, and its outcome counts for two seconds: however many ask, the database is
 * asked at most once in that time. A caller waits two seconds at most.
 */
export function createWriteProbe(
  lane: Pick<Transactions, 'atomically'>,
  also: () => readonly Statement[] = NOTHING_ELSE,
  nowMs: () => number = () => performance.now(),
): WriteProbe {
  const statements = probeStatements();
  let running: Promise<void> | undefined;
  let last: { readonly at: number; readonly outcome: Promise<void> } | undefined;

  function probe(): Promise<void> {
    const outcome = lane
      .atomically(() => [...statements, ...also()])
      .catch((error: unknown) => {
        throw error instanceof Failure ? error : storageUnavailable(error);
      });
    running = outcome;
    const end = () => {
      running = undefined;
      last = { at: nowMs(), outcome };
    };
    outcome.then(end, end);
    return outcome;
  }

  return async () => {
    if (running === undefined && last && nowMs() - last.at < OUTCOME_LIFETIME_MS) {
      return await last.outcome;
    }
    await within(ANSWER_LIMIT_MS, running ?? probe());
  };
}
