import { type Fence, fenced, guarded } from '../nodes/index.ts';
import type { Statement, Storage, Transactions } from '../storage/index.ts';
import { type JournalPosition, journalStatement } from './journal/index.ts';

export interface CommitOptions {
  /** Statements that run in the same transaction. */
  readonly alongside?: () => Iterable<Statement>;
  /**
   * The statements alongside take long: the readings take their place in the order of commits when
   * these have run, and no other commit waits for them. No other commit may have a reading of the
   * same Variables meanwhile.
   */
  readonly isJournaledLast?: boolean;
}

/** The lanes of the write path: nothing is stored after another node has taken over. */
export class FencedStorage {
  readonly ingest: Transactions;
  readonly background: Transactions;
  readonly #lane: Transactions;
  readonly #fence: Fence;

  constructor({ storage, fence }: { readonly storage: Storage; readonly fence: Fence }) {
    this.ingest = fenced(storage.ingest, fence);
    this.background = fenced(storage.background, fence);
    this.#lane = storage.ingest;
    this.#fence = fence;
  }

  /** Stores a journal row, which carries the epoch itself: that needs no statement of its own. */
  write(
    position: JournalPosition,
    data: Buffer,
    alongside: CommitOptions['alongside'],
  ): Promise<void> {
    return guarded(this.#fence, async () => {
      const journal = journalStatement(position, data, this.#fence.incarnation);
      if (!alongside) {
        await this.#lane.query(journal.sql, journal.params, { isPrepared: true });
        return;
      }
      await this.#lane.atomically(function* () {
        yield journal;
        yield* alongside();
      });
    });
  }

  /** Stores a journal row whose position is taken once the statements alongside have run. */
  writeLast(
    takePosition: () => JournalPosition,
    data: Buffer,
    alongside: () => Iterable<Statement>,
  ): Promise<void> {
    const last = () => journalStatement(takePosition(), data, this.#fence.incarnation);
    return this.ingest.atomically(alongside, last);
  }
}
