/** Work whose concurrent callers share one run. */
export class SharedWork {
  readonly #work: () => Promise<void>;
  #current: Promise<void> | undefined;

  constructor(work: () => Promise<void>) {
    this.#work = work;
  }

  /** Joins the run in progress, which may not see what was changed after it began. */
  run(): Promise<void> {
    this.#current ??= this.#work().finally(() => {
      this.#current = undefined;
    });
    return this.#current;
  }

  /** Joins no run that began before: this one sees every change that was made until now. */
  async runAgain(): Promise<void> {
    await this.settled();
    await this.run();
  }

  /** Resolves when the run in progress has ended, however it ends. */
  async settled(): Promise<void> {
    await this.#current?.catch(() => undefined);
  }
}
