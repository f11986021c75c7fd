import { type Fence, fenced, guarded } from '../nodes/index.ts';
import type { Statement, Storage, Transactions } from '../storage/index.ts';
import { type JournalPosition, journalStatement } from './journal/index.ts';

export interface CommitOptions {
  /** Statements that run after the readings in the same transaction. */
  readonly alongside?: () => Iterable<Statement>;
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
}
