/** Readings of a block. A reading takes two cells: its time and its value. */
const BLOCK_BITS = 16;
const BLOCK = 1 << BLOCK_BITS;
const FIRST_ROOM = 64;
/** A Variable gets room for so many readings at first, then for twice as many, up to the most. */
const LEAST_RUN = 4;
const MOST_RUN = 256;
const READING_BYTES = 16;
const RUN_BYTES = 12;
const SLOT_BYTES = 25;

/**
 * Readings by slot, in the order in which they came. They lie in a few large blocks, each slot's
 * in runs: a slot costs little, and its readings are read back a run at a time.
 */
export class Runs {
  readonly #blocks: Float64Array[] = [];
  /** Behind the last run. */
  #end = 0;
  #runs = 0;
  #runStart = new Int32Array(FIRST_ROOM);
  #runEnd = new Int32Array(FIRST_ROOM);
  #runBefore = new Int32Array(FIRST_ROOM);
  #next = new Int32Array(FIRST_ROOM);
  #roomEnd = new Int32Array(FIRST_ROOM);
  #count = new Int32Array(FIRST_ROOM);
  #lastRun = new Int32Array(FIRST_ROOM);
  #lastTime = new Float64Array(FIRST_ROOM);
  #isDisordered = new Uint8Array(FIRST_ROOM);
  #slots = 0;

  get bytes(): number {
    return READING_BYTES * this.#end + RUN_BYTES * this.#runs + SLOT_BYTES * this.#slots;
  }

  countOf(slot: number): number {
    return slot < this.#slots ? (this.#count[slot] as number) : 0;
  }

  /** Whether each time was later than the one before. */
  ascends(slot: number): boolean {
    return this.#isDisordered[slot] === 0;
  }

  append(slot: number, time: number, value: number): void {
    if (slot >= this.#slots) this.#addSlots(slot + 1);
    let next = this.#next[slot] as number;
    if (next === this.#roomEnd[slot]) next = this.#addRun(slot);
    const block = this.#blocks[next >>> BLOCK_BITS] as Float64Array;
    const cell = 2 * (next & (BLOCK - 1));
    block[cell] = time;
    block[cell + 1] = value;
    if (time <= (this.#lastTime[slot] as number)) this.#isDisordered[slot] = 1;
    this.#lastTime[slot] = time;
    this.#next[slot] = next + 1;
    this.#count[slot] = (this.#count[slot] as number) + 1;
  }

  #addSlots(needed: number): void {
    const room = this.#count.length;
    if (needed > room) {
      const more = Math.max(needed, 2 * room);
      this.#next = grown(this.#next, more);
      this.#roomEnd = grown(this.#roomEnd, more);
      this.#count = grown(this.#count, more);
      this.#lastRun = grown(this.#lastRun, more);
      const times = new Float64Array(more);
      times.set(this.#lastTime);
      this.#lastTime = times;
      const marks = new Uint8Array(more);
      marks.set(this.#isDisordered);
      this.#isDisordered = marks;
    }
    this.#lastRun.fill(-1, this.#slots, needed);
    this.#lastTime.fill(-Infinity, this.#slots, needed);
    this.#slots = needed;
  }

  /** Answers where it begins. */
  #addRun(slot: number): number {
    if (this.#end === this.#blocks.length * BLOCK) this.#blocks.push(new Float64Array(2 * BLOCK));
    const start = this.#end;
    const wanted = Math.min(MOST_RUN, Math.max(LEAST_RUN, this.#count[slot] as number));
    const end = Math.min(start + wanted, this.#blocks.length * BLOCK);
    const run = this.#runs;
    if (run === this.#runStart.length) {
      this.#runStart = grown(this.#runStart, 2 * run);
      this.#runEnd = grown(this.#runEnd, 2 * run);
      this.#runBefore = grown(this.#runBefore, 2 * run);
    }
    this.#runStart[run] = start;
    this.#runEnd[run] = end;
    this.#runBefore[run] = this.#lastRun[slot] as number;
    this.#runs += 1;
    this.#lastRun[slot] = run;
    this.#roomEnd[slot] = end;
    this.#end = end;
    return start;
  }

  /** Puts the readings of a slot into columns with room for as many. */
  read(slot: number, times: Float64Array, values: Float64Array | Uint8Array): void {
    let index = this.countOf(slot);
    let end = this.#next[slot] as number;
    for (let run = this.#lastRun[slot] as number; index > 0; run = this.#runBefore[run] as number) {
      const start = this.#runStart[run] as number;
      end = Math.min(end, this.#runEnd[run] as number);
      index -= end - start;
      const block = this.#blocks[start >>> BLOCK_BITS] as Float64Array;
      let cell = 2 * (start & (BLOCK - 1));
      for (let place = index; place < index + end - start; place += 1, cell += 2) {
        times[place] = block[cell] as number;
        values[place] = block[cell + 1] as number;
      }
    }
  }
}

function grown(array: Int32Array<ArrayBuffer>, length: number): Int32Array<ArrayBuffer> {
  const copy = new Int32Array(length);
  copy.set(array);
  return copy;
}
