/** Readings of a block. A reading takes two cells: its time and its value. */
const BLOCK_BITS = 16;
const BLOCK = 1 << BLOCK_BITS;
const FIRST_ROOM = 64;
/** A slot gets room for so many readings at first, then for twice as many, up to the most. */
const LEAST_RUN = 4;
const MOST_RUN = 256;
const READING_BYTES = 16;
const RUN_BYTES = 12;

// What is known of a slot stands side by side, so that it is in memory that is fetched at once.
const NEXT = 0;
const ROOM_END = 1;
const COUNT = 2;
const LAST_RUN = 3;
const SLOT_CELLS = 4;
const SLOT_BYTES = 8 * SLOT_CELLS;

/** So many blocks wait at most to be used again, of a megabyte each. */
const MOST_SPARE = 64;

/**
 * Blocks that are done with, for who needs some next: memory that comes and goes makes the garbage
 * collector walk through all there is, and readings wait for that.
 */
export class SpareBlocks {
  readonly #blocks: Float64Array[] = [];

  take(): Float64Array {
    return this.#blocks.pop() ?? new Float64Array(2 * BLOCK);
  }

  give(blocks: readonly Float64Array[]): void {
    this.#blocks.push(...blocks.slice(0, MOST_SPARE - this.#blocks.length));
  }
}

/**
 * Readings by slot, in the order in which they came. They lie in a few large blocks, each slot's
 * in runs: a slot costs little, and its readings are read back a run at a time.
 */
export class Runs {
  readonly #spare: SpareBlocks;
  readonly #blocks: Float64Array[] = [];
  /** Behind the last run. */
  #end = 0;
  #runs = 0;
  #runStart = new Int32Array(FIRST_ROOM);
  #runEnd = new Int32Array(FIRST_ROOM);
  #runBefore = new Int32Array(FIRST_ROOM);
  #state = new Float64Array(FIRST_ROOM * SLOT_CELLS);
  #slots = 0;

  constructor(spare: SpareBlocks) {
    this.#spare = spare;
  }

  get bytes(): number {
    return READING_BYTES * this.#end + RUN_BYTES * this.#runs + SLOT_BYTES * this.#slots;
  }

  countOf(slot: number): number {
    return slot < this.#slots ? (this.#state[slot * SLOT_CELLS + COUNT] as number) : 0;
  }

  append(slot: number, time: number, value: number): void {
    if (slot >= this.#slots) this.#addSlots(slot + 1);
    const state = this.#state;
    const at = slot * SLOT_CELLS;
    let next = state[at + NEXT] as number;
    if (next === state[at + ROOM_END]) next = this.#addRun(at);
    const block = this.#blocks[next >>> BLOCK_BITS] as Float64Array;
    const cell = 2 * (next & (BLOCK - 1));
    block[cell] = time;
    block[cell + 1] = value;
    state[at + NEXT] = next + 1;
    state[at + COUNT] = (state[at + COUNT] as number) + 1;
  }

  #addSlots(needed: number): void {
    const room = this.#state.length / SLOT_CELLS;
    if (needed > room) {
      const state = new Float64Array(Math.max(needed, 2 * room) * SLOT_CELLS);
      state.set(this.#state);
      this.#state = state;
    }
    for (let slot = this.#slots; slot < needed; slot += 1) {
      this.#state[slot * SLOT_CELLS + LAST_RUN] = -1;
    }
    this.#slots = needed;
  }

  /** Answers where it begins. `at` is where the state of its slot stands. */
  #addRun(at: number): number {
    if (this.#end === this.#blocks.length * BLOCK) this.#blocks.push(this.#spare.take());
    const start = this.#end;
    const wanted = Math.min(MOST_RUN, Math.max(LEAST_RUN, this.#state[at + COUNT] as number));
    const end = Math.min(start + wanted, this.#blocks.length * BLOCK);
    const run = this.#runs;
    if (run === this.#runStart.length) {
      this.#runStart = doubled(this.#runStart);
      this.#runEnd = doubled(this.#runEnd);
      this.#runBefore = doubled(this.#runBefore);
    }
    this.#runStart[run] = start;
    this.#runEnd[run] = end;
    this.#runBefore[run] = this.#state[at + LAST_RUN] as number;
    this.#runs += 1;
    this.#state[at + LAST_RUN] = run;
    this.#state[at + ROOM_END] = end;
    this.#end = end;
    return start;
  }

  /** Nothing is read any more: the memory is for others. */
  release(): void {
    this.#spare.give(this.#blocks);
  }

  /** Puts the readings of a slot into columns with room for as many. */
  read(slot: number, times: Float64Array, values: Float64Array | Uint8Array): void {
    const at = slot * SLOT_CELLS;
    let index = this.countOf(slot);
    let end = this.#state[at + NEXT] as number;
    let run = this.#state[at + LAST_RUN] as number;
    for (; index > 0; run = this.#runBefore[run] as number) {
      const start = this.#runStart[run] as number;
      const length = end - start;
      const block = this.#blocks[start >>> BLOCK_BITS] as Float64Array;
      let cell = 2 * (start & (BLOCK - 1));
      index -= length;
      for (let place = index; place < index + length; place += 1, cell += 2) {
        times[place] = block[cell] as number;
        values[place] = block[cell + 1] as number;
      }
      if (index > 0) end = this.#runEnd[this.#runBefore[run] as number] as number;
    }
  }
}

function doubled(array: Int32Array<ArrayBuffer>): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(2 * array.length);
  copy.set(array);
  return copy;
}
