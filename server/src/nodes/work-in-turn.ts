/** Work that is done once at a time: two runs of it would disturb each other. */
export class WorkInTurn {
  readonly #work: () => Promise<void>;
  #last: Promise<void> | undefined;
  #isQueued = false;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Whether a run waits for its turn. It will see whatever has changed until now. */
  get isQueued(): boolean {
    return this.#isQueued;
  }

  /** Resolves or rejects with the run that follows those before. */
  run(): Promise<void> {
    this.#isQueued = true;
    const turn = (this.#last ?? Promise.resolve()).then(() => {
      this.#isQueued = false;
      return this.#work();
    });
    this.#last = turn.catch(() => undefined);
    return turn;
  }

  /** Resolves when the runs so far have ended. */
  async settled(): Promise<void> {
    await this.#last;
  }
}
