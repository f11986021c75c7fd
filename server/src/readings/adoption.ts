import type { SeriesTime } from '../presence/index.ts';
import type { Transactions } from '../storage/index.ts';
import { flush } from './flush.ts';
import { type JournalOwnership, type ReplayDeps, replayJournals } from './journal/index.ts';
import { memtableLimit, type ReadingsLimits } from './limits.ts';
import { type BlockPool, Memtable } from './memtable/index.ts';

export interface AdoptionDeps extends ReplayDeps {
  readonly ownership: JournalOwnership;
  readonly lane: Transactions;
  /** The number of the journal that this server writes. */
  readonly writer: number;
  readonly blockPool: BlockPool;
  readonly limits: ReadingsLimits;
  /** Receives the newest times of the series that were written to chunks. */
  readonly onAdopted: (newest: readonly SeriesTime[]) => Promise<void>;
}

/**
 * Writes the readings of journals without a living writer to chunks, and deletes their rows. Nothing
 * of them stays in memory here: each may belong to a Device of another node. False when another node
 * is doing it.
 */
export function flushOrphans(deps: AdoptionDeps): Promise<boolean> {
  const { ownership, lane, writer, blockPool, limits, onAdopted } = deps;
  return ownership.flushAdopted(async (writers) => {
    for await (const memtable of replayed(deps, writers)) {
      // Nothing is carried over, so that no row is written.
      const rows = { form: 'PLAIN', leaving: 'ALL', expiryOf: () => -Infinity } as const;
      const job = { memtable, writer, blockPool, urgency: () => 1, ...rows };
      await flush(lane, job, limits);
      await onAdopted([...memtable.latestFrom(-Infinity)]);
      memtable.release();
    }
  });
}

/** The rows of journals in memtables of their own. */
async function* replayed(deps: AdoptionDeps, writers: readonly number[]): AsyncGenerator<Memtable> {
  const { clock, blockPool, limits } = deps;
  let memtable = new Memtable(clock.now(), blockPool);
  for await (const { position, columns, bytes } of replayJournals(deps, writers)) {
    memtable.add(columns);
    memtable.journal.add(position);
    memtable.journalBytes += bytes;
    if (memtable.journalBytes < memtableLimit(limits, memtable.seriesCount)) continue;
    yield memtable;
    memtable = new Memtable(clock.now(), blockPool);
  }
  if (memtable.hasArrivals) yield memtable;
}
