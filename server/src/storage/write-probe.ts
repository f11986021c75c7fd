import { Failure } from '../runtime/index.ts';
import { storageUnavailable } from './errors.ts';
import type { Transactions } from './storage.ts';
import { within } from './within.ts';

const ANSWER_LIMIT_MS = 2_000;
const OUTCOME_LIFETIME_MS = 2_000;

/**
 * Writes as all writes do, and keeps nothing: a new file of one page, which takes space on the
 * disk, and a commit, which takes the log. A row of an existing table would go on fitting on a
 * full disk, and a table that stays would be locked by a dump of the database.
 */
const STATEMENTS = [
  'CREATE TABLE storage_write_probe AS SELECT 1 AS written',
  'DROP TABLE storage_write_probe',
].map((sql) => ({ sql, params: [] }));

/** Rejects with `STORAGE_UNAVAILABLE` while storage takes no writes. */
export type WriteProbe = () => Promise<void>;

/**
 * One probe at a time, and its outcome counts for two seconds: however many ask, the database is
 * asked at most once in that time. A caller waits two seconds at most.
 */
export function createWriteProbe(
  lane: Pick<Transactions, 'atomically'>,
  nowMs: () => number = () => performance.now(),
): WriteProbe {
  let running: Promise<void> | undefined;
  let last: { readonly at: number; readonly outcome: Promise<void> } | undefined;

  function probe(): Promise<void> {
    const outcome = lane
      .atomically(() => STATEMENTS)
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
