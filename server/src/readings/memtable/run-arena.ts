import type { Range } from '../reading.ts';
import { BLOCK_BITS, type BlockPool, NUMBERS_PER_BLOCK } from './block-pool.ts';
import { decimalCell, listedCell, NOT_DECIMAL, NumberList, numberOf } from './number-cells.ts';

/** Two cells of a block for each reading, and for each run. */
const PAIRS_PER_BLOCK = NUMBERS_PER_BLOCK;
/** The first run of a slot has the minimum length; each further one is half as long again, up to the maximum. */
const MIN_RUN_READINGS = 3;
const MAX_RUN_READINGS = 256;
const READING_BYTES = 8;
const RUN_BYTES = 8;
const LISTED_BYTES = 8;

// The state of a slot is adjacent in memory, so that it takes one cache line.
const NEXT = 0;
const ROOM_END = 1;
const NEWEST = 2;
const LAST_RUN = 3;
const SLOT_CELLS = 4;
const SLOT_BYTES = 4 * SLOT_CELLS;
const SLOT_BLOCK_BITS = BLOCK_BITS - 1;
const SLOTS_PER_BLOCK = 1 << SLOT_BLOCK_BITS;
const NONE = -1;

/**
 * A time is stored as its distance from that of the arena, in milliseconds: 12 days before it to 24 days
 * after it. The few that are further away are in the list, and the lower distances are their places.
 */
const MIN_DISTANCE = -(2 ** 30);
const FIRST_PLACE = -(2 ** 31);

/**
 * An arena of readings by slot, in order of arrival. Each slot has a chain of runs within a few
 * large blocks: a slot costs little memory, and is read back a run at a time. Nothing grows by copies,
 * which would leave holes in memory.
 */
export class RunArena {
  readonly #blockPool: BlockPool;
  /** Where most of the times are close to. */
  readonly #epoch: number;
  /** For each reading the distance of its time, and the cell of its value. */
  readonly #readings: Int32Array<ArrayBuffer>[] = [];
  /** Times and values that have no cell of their own. */
  readonly #listed: NumberList;
  /** The end of the last run, in readings. */
  #end = 0;
  /** For each run its start, which is the end of the run before it, and the run before it of its slot. */
  readonly #runs: Int32Array<ArrayBuffer>[] = [];
  #runCount = 0;
  readonly #states: Int32Array<ArrayBuffer>[] = [];
  #slots = 0;

  constructor(blockPool: BlockPool, epoch: number) {
    this.#blockPool = blockPool;
    this.#epoch = epoch;
    this.#listed = new NumberList(blockPool);
  }

  get bytes(): number {
    const ofReadings = READING_BYTES * this.#end + LISTED_BYTES * this.#listed.count;
    return ofReadings + RUN_BYTES * this.#runCount + SLOT_BYTES * this.#slots;
  }

  countOf(slot: number): number {
    if (slot >= this.#slots) return 0;
    let count = 0;
    let end = this.#state(slot, NEXT);
    for (let run = this.#state(slot, LAST_RUN); run !== NONE; run = this.#runBefore(run)) {
      count += end - this.#runStart(run);
      end = this.#endBefore(run);
    }
    return count;
  }

  countWithin(slot: number, { from, to }: Range): number {
    if (slot >= this.#slots) return 0;
    let count = 0;
    let end = this.#state(slot, NEXT);
    for (let run = this.#state(slot, LAST_RUN); run !== NONE; run = this.#runBefore(run)) {
      const start = this.#runStart(run);
      const block = this.#readings[start >>> BLOCK_BITS] as Int32Array;
      for (let position = start; position < end; position += 1) {
        const time = this.#timeOf(block[2 * (position & (PAIRS_PER_BLOCK - 1))] as number);
        if (time >= from && time <= to) count += 1;
      }
      end = this.#endBefore(run);
    }
    return count;
  }

  #state(slot: number, cell: number): number {
    const block = this.#states[slot >>> SLOT_BLOCK_BITS] as Int32Array;
    return block[SLOT_CELLS * (slot & (SLOTS_PER_BLOCK - 1)) + cell] as number;
  }

  #runStart(run: number): number {
    const block = this.#runs[run >>> BLOCK_BITS] as Int32Array;
    return block[2 * (run & (PAIRS_PER_BLOCK - 1))] as number;
  }

  #runBefore(run: number): number {
    const block = this.#runs[run >>> BLOCK_BITS] as Int32Array;
    return block[2 * (run & (PAIRS_PER_BLOCK - 1)) + 1] as number;
  }

  /** The end of the run of the same slot before this one, which is full; any number if there is none. */
  #endBefore(run: number): number {
    return this.#runStart(this.#runBefore(run) + 1);
  }

  append(slot: number, time: number, value: number): void {
    if (slot >= this.#slots) this.#addSlots(slot + 1);
    const state = this.#states[slot >>> SLOT_BLOCK_BITS] as Int32Array;
    const at = SLOT_CELLS * (slot & (SLOTS_PER_BLOCK - 1));
    let next = state[at + NEXT] as number;
    if (next === state[at + ROOM_END]) next = this.#addRun(state, at);
    const block = this.#readings[next >>> BLOCK_BITS] as Int32Array;
    const cell = 2 * (next & (PAIRS_PER_BLOCK - 1));
    const distance = time - this.#epoch;
    const isNear = (distance | 0) === distance && distance >= MIN_DISTANCE;
    block[cell] = isNear ? distance : FIRST_PLACE + this.#listed.add(time);
    const decimal = decimalCell(value);
    block[cell + 1] = decimal === NOT_DECIMAL ? listedCell(this.#listed.add(value)) : decimal;
    state[at + NEXT] = next + 1;
    const newest = state[at + NEWEST] as number;
    if (newest === NONE || time >= this.#timeAt(newest)) state[at + NEWEST] = next;
  }

  #timeAt(position: number): number {
    const block = this.#readings[position >>> BLOCK_BITS] as Int32Array;
    return this.#timeOf(block[2 * (position & (PAIRS_PER_BLOCK - 1))] as number);
  }

  #timeOf(distance: number): number {
    if (distance >= MIN_DISTANCE) return this.#epoch + distance;
    return this.#listed.at(distance - FIRST_PLACE);
  }

  /** The reading of a slot with the newest time, of several the last one; undefined when it has none. */
  newest(slot: number): { readonly at: number; readonly value: number } | undefined {
    const position = slot < this.#slots ? this.#state(slot, NEWEST) : NONE;
    if (position === NONE) return undefined;
    const block = this.#readings[position >>> BLOCK_BITS] as Int32Array;
    const cell = block[2 * (position & (PAIRS_PER_BLOCK - 1)) + 1] as number;
    return { at: this.#timeAt(position), value: numberOf(cell, this.#listed) };
  }

  #addSlots(needed: number): void {
    for (; this.#slots < needed; this.#slots += 1) {
      const index = this.#slots & (SLOTS_PER_BLOCK - 1);
      if (index === 0) this.#states.push(this.#block());
      const state = this.#states.at(-1) as Int32Array;
      state.fill(0, SLOT_CELLS * index, SLOT_CELLS * (index + 1));
      state[SLOT_CELLS * index + NEWEST] = NONE;
      state[SLOT_CELLS * index + LAST_RUN] = NONE;
    }
  }

  #block(): Int32Array<ArrayBuffer> {
    return new Int32Array(this.#blockPool.take());
  }

  /** Returns the start of the new run. `at` is the offset of the slot's state. */
  #addRun(state: Int32Array, at: number): number {
    if (this.#end === this.#readings.length * PAIRS_PER_BLOCK) this.#readings.push(this.#block());
    const start = this.#end;
    const before = state[at + LAST_RUN] as number;
    const end = Math.min(
      start + this.#lengthAfter(before, state[at + ROOM_END] as number),
      this.#readings.length * PAIRS_PER_BLOCK,
    );
    const run = this.#runCount;
    const index = run & (PAIRS_PER_BLOCK - 1);
    if (index === 0) this.#runs.push(this.#block());
    const runs = this.#runs.at(-1) as Int32Array;
    runs[2 * index] = start;
    runs[2 * index + 1] = before;
    this.#runCount += 1;
    state[at + LAST_RUN] = run;
    state[at + ROOM_END] = end;
    this.#end = end;
    return start;
  }

  /** The length of the run that follows one that ends here. */
  #lengthAfter(run: number, end: number): number {
    if (run === NONE) return MIN_RUN_READINGS;
    const length = end - this.#runStart(run);
    return Math.min(MAX_RUN_READINGS, Math.max(MIN_RUN_READINGS, length + (length >> 1)));
  }

  /** Returns the blocks to the pool. Nothing may be read afterwards. */
  release(): void {
    for (const blocks of [this.#readings, this.#runs, this.#states]) {
      this.#blockPool.give(blocks.map((block) => block.buffer));
    }
    this.#listed.release();
  }

  /** Copies the readings of a slot within a range into columns that are as long as their number. */
  read(
    slot: number,
    { from, to }: Range,
    times: Float64Array,
    values: Float64Array | Uint8Array,
  ): void {
    let index = times.length;
    if (index === 0) return;
    let end = this.#state(slot, NEXT);
    for (let run = this.#state(slot, LAST_RUN); run !== NONE; run = this.#runBefore(run)) {
      const start = this.#runStart(run);
      const block = this.#readings[start >>> BLOCK_BITS] as Int32Array;
      for (let position = end - 1; position >= start; position -= 1) {
        const cell = 2 * (position & (PAIRS_PER_BLOCK - 1));
        const time = this.#timeOf(block[cell] as number);
        if (time < from || time > to) continue;
        index -= 1;
        times[index] = time;
        values[index] = numberOf(block[cell + 1] as number, this.#listed);
      }
      end = this.#endBefore(run);
    }
  }
}
