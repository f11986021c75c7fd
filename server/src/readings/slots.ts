/** Numbers of one page: few, so that Variables far from each other cost little. */
const PAGE_BITS = 8;
const PAGE_MASK = (1 << PAGE_BITS) - 1;
const FIRST_ROOM = 64;

/**
 * Gives each Variable number that is met a place in arrays, in the order of their coming. Numbers
 * are given out one after the other, so pages of places are denser and faster than a map.
 */
export class Slots {
  readonly #pages = new Map<number, Int32Array<ArrayBuffer>>();
  #numbers = new Float64Array(FIRST_ROOM);
  #count = 0;
  #lastKey = -1;
  #lastPage = new Int32Array(0);

  /** How many were given. */
  get count(): number {
    return this.#count;
  }

  /** The number in a place; -1 when it was removed. */
  numberAt(slot: number): number {
    return this.#numbers[slot] as number;
  }

  /** The place of a number; -1 when it has none. */
  find(number: number): number {
    const key = number >>> PAGE_BITS;
    if (key !== this.#lastKey) {
      const page = this.#pages.get(key);
      if (!page) return -1;
      this.#lastKey = key;
      this.#lastPage = page;
    }
    return (this.#lastPage[number & PAGE_MASK] as number) - 1;
  }

  /** Gives a number, which has none, the next place. */
  add(number: number): number {
    const key = number >>> PAGE_BITS;
    let page = this.#pages.get(key);
    if (!page) {
      page = new Int32Array(PAGE_MASK + 1);
      this.#pages.set(key, page);
    }
    const slot = this.#count;
    if (slot === this.#numbers.length) {
      const grown = new Float64Array(2 * slot);
      grown.set(this.#numbers);
      this.#numbers = grown;
    }
    this.#numbers[slot] = number;
    this.#count += 1;
    page[number & PAGE_MASK] = slot + 1;
    return slot;
  }

  remove(number: number): void {
    const slot = this.find(number);
    if (slot < 0) return;
    this.#numbers[slot] = -1;
    this.#lastPage[number & PAGE_MASK] = 0;
  }
}
