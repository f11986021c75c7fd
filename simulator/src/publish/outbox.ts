/** Limits the messages in flight; the next one waits. The next call to send reports the first failure. */
export class Outbox {
  readonly #max: number;
  readonly #signal: AbortSignal;
  readonly #stopped: Promise<void>;
  readonly #underWay = new Set<Promise<void>>();
  #failure: unknown = null;

  constructor(max: number, signal: AbortSignal) {
    this.#max = max;
    this.#signal = signal;
    this.#stopped = new Promise((resolve) => {
      if (signal.aborted) resolve();
      signal.addEventListener('abort', () => resolve(), { once: true });
    });
  }

  get waiting(): number {
    return this.#underWay.size;
  }

  /** Resolves when there is room for another message. After a stop it sends none. */
  async add(send: () => Promise<void>): Promise<void> {
    while (this.#underWay.size >= this.#max && !this.#signal.aborted) {
      await Promise.race([...this.#underWay, this.#stopped]);
    }
    this.#complain();
    if (this.#signal.aborted) return;
    const sending: Promise<void> = send()
      .catch((error: unknown) => {
        this.#failure ??= error;
      })
      .finally(() => this.#underWay.delete(sending));
    this.#underWay.add(sending);
  }

  /** Resolves when nothing is in flight, or at a stop. */
  async settled(): Promise<void> {
    await Promise.race([Promise.all(this.#underWay), this.#stopped]);
    this.#complain();
  }

  /** Resolves when nothing is in flight, or after the time limit. */
  async empty(limitMs: number): Promise<void> {
    let timer: NodeJS.Timeout | undefined;
    const late = new Promise<void>((resolve) => {
      timer = setTimeout(resolve, limitMs);
    });
    await Promise.race([Promise.all(this.#underWay), late]);
    clearTimeout(timer);
    this.#complain();
  }

  #complain(): void {
    if (this.#failure !== null) throw this.#failure;
  }
}
