/**
 * Bounds the bytes of messages that all sessions together hold in memory. A session that would hold
 * more stops reading from its connection until others have released theirs.
 */
export class HeldBytes {
  readonly #max: number;
  #held = 0;
  #waiting: (() => void)[] = [];

  constructor(max: number) {
    this.#max = max;
  }

  get isFull(): boolean {
    return this.#held >= this.#max;
  }

  hold(bytes: number): void {
    this.#held += bytes;
  }

  release(bytes: number): void {
    this.#held -= bytes;
    if (this.isFull || this.#waiting.length === 0) return;
    const waiting = this.#waiting;
    this.#waiting = [];
    for (const resume of waiting) resume();
  }

  /** Calls back once when there is room again. */
  onRoom(resume: () => void): void {
    this.#waiting.push(resume);
  }
}
