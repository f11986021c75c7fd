import { withRoom } from './growth.ts';

/** A page covers few ids, so that series with distant ids cost little. */
const PAGE_BITS = 8;
const PAGE_MASK = (1 << PAGE_BITS) - 1;
const FIRST_ROOM = 64;
/** No series has this id. */
export const REMOVED = 0;

/**
 * Maps each series id to a slot, a position in arrays, in order of arrival. Ids are assigned in
 * sequence, so that pages of slots are denser and faster than a map.
 */
export class SeriesIndex {
  readonly #pages = new Map<number, Int32Array<ArrayBuffer>>();
  #seriesIds = new Uint32Array(FIRST_ROOM);
  #count = 0;
  #lastKey = -1;
  #lastPage = new Int32Array(0);

  /** The number of slots. */
  get count(): number {
    return this.#count;
  }

  /** The series of a slot; `REMOVED` when it has none any more. */
  seriesIdAt(slot: number): number {
    return this.#seriesIds[slot] as number;
  }

  /** The slot of a series; -1 when it has none. */
  find(seriesId: number): number {
    const key = seriesId >>> PAGE_BITS;
    if (key !== this.#lastKey) {
      const page = this.#pages.get(key);
      if (!page) return -1;
      this.#lastKey = key;
      this.#lastPage = page;
    }
    return (this.#lastPage[seriesId & PAGE_MASK] as number) - 1;
  }

  /** Assigns the next slot to a series that has none. */
  add(seriesId: number): number {
    const key = seriesId >>> PAGE_BITS;
    let page = this.#pages.get(key);
    if (!page) {
      page = new Int32Array(PAGE_MASK + 1);
      this.#pages.set(key, page);
    }
    const slot = this.#count;
    this.#seriesIds = withRoom(this.#seriesIds, slot + 1);
    this.#seriesIds[slot] = seriesId;
    this.#count += 1;
    page[seriesId & PAGE_MASK] = slot + 1;
    return slot;
  }

  remove(seriesId: number): void {
    const slot = this.find(seriesId);
    if (slot < 0) return;
    this.#seriesIds[slot] = REMOVED;
    this.#lastPage[seriesId & PAGE_MASK] = 0;
  }
}
