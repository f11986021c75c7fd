import { createDeferred } from '../runtime/index.ts';
import { IDS_PER_COMMIT } from './flush.ts';
import type { JournalPosition } from './journal/index.ts';

/** The order of commits: the ids of their journal rows, and the turns in which they are added. */
export class CommitOrder {
  #lastId = 0;
  #ended: Promise<unknown> = Promise.resolve();

  /** Resolves when all turns that were taken have ended. */
  get ended(): Promise<unknown> {
    return this.#ended;
  }

  /** An id that is higher than all before. */
  nextId(): number {
    this.#lastId += IDS_PER_COMMIT;
    return this.#lastId;
  }

  /** Ends when `ended` resolves. Returns a promise of the end of all turns before. */
  enter(ended: Promise<void>): Promise<unknown> {
    const before = this.#ended;
    this.#ended = Promise.all([before, ended]);
    return before;
  }
}

/** The turn of one commit. It has none until it takes one, and others wait from then on. */
export class CommitTurn {
  readonly #order: CommitOrder;
  #taken: (JournalPosition & { readonly before: Promise<unknown>; end(): void }) | undefined;

  constructor(order: CommitOrder) {
    this.#order = order;
  }

  /** Takes the next turn, without an await. A turn that was taken before ends. */
  take(writer: number): JournalPosition {
    this.end();
    const { promise: ended, resolve: end } = createDeferred<void>();
    const before = this.#order.enter(ended);
    this.#taken = { writer, id: this.#order.nextId(), before, end };
    return this.#taken;
  }

  /** Resolves with the position once all turns before have ended. */
  async reached(): Promise<JournalPosition> {
    if (!this.#taken) throw new Error('a commit was stored without a turn');
    await this.#taken.before;
    return this.#taken;
  }

  /** The readings are in the memtable, or never will be. */
  end(): void {
    this.#taken?.end();
  }
}
