import type { Transactions } from '../../storage/index.ts';

/**
 * Whether chunks have changed since an earlier moment, as far as this process knows: what was read of
 * them is still as it was while the state is the same. Other nodes change chunks as well, so that
 * there is no state while there are any.
 */
export class ChunkChanges {
  readonly #isAlone: () => boolean;
  #ended = 0;
  #inProgress = 0;

  constructor(isAlone: () => boolean) {
    this.#isAlone = isAlone;
  }

  /**
   * Equal as long as no chunk has changed; undefined while chunks may change at any moment. What other
   * nodes change is not counted, so that each call beside them is a state of its own.
   */
  state(): number | undefined {
    if (!this.#isAlone()) {
      this.end();
      return undefined;
    }
    return this.#inProgress === 0 ? this.#ended : undefined;
  }

  /** Nothing that was read before is certain any more. */
  end(): void {
    this.#ended += 1;
  }

  /** Does what changes chunks. If its outcome is unknown, readings are the same with and without it. */
  async during<T>(change: () => Promise<T>): Promise<T> {
    this.#inProgress += 1;
    try {
      return await change();
    } finally {
      this.#inProgress -= 1;
      this.end();
    }
  }

  /** The same queries and transactions; each transaction counts as a change of chunks. */
  tracking(storage: Transactions): Transactions {
    return { ...storage, transaction: (work) => this.during(() => storage.transaction(work)) };
  }
}
