/** Series ids of one page. They are given out one after the other, so pages are dense. */
const PAGE_BITS = 8;
const PAGE_MASK = (1 << PAGE_BITS) - 1;

/**
 * The times of readings without a timestamp. Those of one Variable ascend: each is the arrival time,
 * or one millisecond after the previous one where that is later. Of two readings with one time only
 * one would be stored.
 */
export class ArrivalTimes {
  /** No reading without a timestamp is stored at or after this time, except known ones. */
  #floor: number;
  /** The last time of each series by its id; 0 when there is none. */
  readonly #pages = new Map<number, Float64Array<ArrayBuffer>>();
  #lastKey = -1;
  #lastPage = new Float64Array(0);

  constructor(startedAt: number) {
    this.#floor = startedAt;
  }

  /** The time of a reading that arrives now. */
  next(seriesId: number, receivedAt: number): number {
    const page = this.#pageOf(seriesId);
    const index = seriesId & PAGE_MASK;
    const last = page[index] as number;
    let at = receivedAt;
    // The clock was set back to before the floor, and the times in use there are unknown.
    if (at < this.#floor) at = this.#floor;
    if (last >= at) at = last + 1;
    page[index] = at;
    return at;
  }

  /** The earliest time that is certainly free. */
  earliest(seriesId: number): number {
    return Math.max(this.#floor, (this.#pageOf(seriesId)[seriesId & PAGE_MASK] as number) + 1);
  }

  /** Other times may be in use before this one: this node did not act for some Devices. */
  raise(floor: number): void {
    this.#floor = Math.max(this.#floor, floor);
  }

  /** A reading of the Variable is stored at this time: the next one comes after it. */
  reserve(seriesId: number, at: number): void {
    const page = this.#pageOf(seriesId);
    const index = seriesId & PAGE_MASK;
    page[index] = Math.max(page[index] as number, at);
  }

  #pageOf(seriesId: number): Float64Array {
    const key = seriesId >>> PAGE_BITS;
    if (key === this.#lastKey) return this.#lastPage;
    let page = this.#pages.get(key);
    if (!page) {
      page = new Float64Array(PAGE_MASK + 1);
      this.#pages.set(key, page);
    }
    this.#lastKey = key;
    this.#lastPage = page;
    return page;
  }
}
