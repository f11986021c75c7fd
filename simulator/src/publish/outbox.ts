/** So many at once on their way, the next one waits. The first failure is told to who sends next. */
export class Outbox {
  readonly #lid: number;
  readonly #underWay = new Set<Promise<void>>();
  #failure: unknown = null;

  constructor(lid: number) {
    this.#lid = lid;
  }

  get waiting(): number {
    return this.#underWay.size;
  }

  /** Resolves when there is room for another one. */
  async add(send: () => Promise<void>): Promise<void> {
    while (this.#underWay.size >= this.#lid) await Promise.race(this.#underWay);
    this.#complain();
    const sending: Promise<void> = send()
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
  }

  async empty(): Promise<void> {
    await Promise.all(this.#underWay);
    this.#complain();
  }

  #complain(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
