import { type Clock, Failure, type Log } from '../../runtime/index.ts';
import { isChanged, runAll, type Transactions, violates } from '../../storage/index.ts';
import { type AlarmName, listLeftOpen, lockLeftOpenEvents, updateStatements } from './store.ts';
import { clearedUpdateOf, type WatchUpdate } from './watch-update.ts';

export interface ConflictDeps {
  readonly storage: Transactions;
  readonly clock: Clock;
  readonly log: Log;
  readonly onStored: (update: WatchUpdate, now: number) => void;
  readonly failpoint: (name: string) => void;
}

/**
 * Resolves whether Alarms whose changes storage refused may be judged again: another judgement was
 * stored first, or an event was left open.
 */
export type ResolveConflict = (error: unknown, names: readonly AlarmName[]) => Promise<boolean>;

export function createConflictResolver(deps: ConflictDeps): ResolveConflict {
  return async (error, names) => {
    if (isChanged(error)) return true;
    if (!violates(error, 'alarm_events_one_open')) return false;
    return await clearLeftOpen(deps, names);
  };
}

/**
 * An event that is open while its Alarm is clear contradicts what a judgement stores, and would
 * refuse every reading that raises the next one. It is cleared, with a warning; readings go on.
 */
async function clearLeftOpen(
  { storage, clock, log, onStored, failpoint }: ConflictDeps,
  names: readonly AlarmName[],
): Promise<boolean> {
  const now = clock.now();
  return await storage.transaction(async (tx) => {
    const events = await lockLeftOpenEvents(tx, names);
    if (events.length === 0) return false;
    const update = clearedUpdateOf(events, now);
    await runAll(tx, updateStatements(update, { now, failpoint }));
    tx.afterCommit(() => {
      log.warn({ events }, 'events of clear alarms were left open; they are cleared now');
      onStored(update, now);
    });
    return true;
  });
}

const LEFT_OPEN_BATCH_SIZE = 1_000;

/**
 * Clears every such event; until the next one is raised nothing else would find it. Each is tried once, so
 * that one which cannot be cleared doesn't keep the others from being.
 */
export async function clearAllLeftOpen(deps: ConflictDeps): Promise<void> {
  let after: AlarmName | null = null;
  do {
    const names = await listLeftOpen(deps.storage, { after, limit: LEFT_OPEN_BATCH_SIZE });
    if (names.length > 0) await clearLeftOpen(deps, names);
    after = names.at(LEFT_OPEN_BATCH_SIZE - 1) ?? null;
  } while (after !== null);
}

/** An Alarm changed before each of many attempts was stored. */
export function unresolved(): Failure {
  return new Failure('OVERLOADED', 'Alarms change faster than they can be judged.', {
    retryAfterSeconds: 1,
  });
}
