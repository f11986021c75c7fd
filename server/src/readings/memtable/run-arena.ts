import { BLOCK_BITS, type BlockPool, NUMBERS_PER_BLOCK } from './block-pool.ts';
import { withRoom } from './growth.ts';
import { decimalCell, listedCell, NOT_DECIMAL, NumberList, numberOf } from './number-cells.ts';

const READINGS_PER_BLOCK = NUMBERS_PER_BLOCK;
const FIRST_ROOM = 64;
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
const NONE = -1;

/**
 * A time is stored as its distance from that of the arena, in milliseconds: 12 days before it to 24 days
 * after it. The few that are further away are in the list, and the lower distances are their places.
 */
const MIN_DISTANCE = -(2 ** 30);
const FIRST_PLACE = -(2 ** 31);

/**
 * An arena of readings by slot, in order of arrival. Each slot has a chain of runs within a few
 * large blocks: a slot costs little memory, and is read back a run at a time.
 */
export class RunArena {
  readonly #blockPool: BlockPool;
  /** Where most of the times are close to. */
  readonly #epoch: number;
  /** For each reading the distance of its time, and the cell of its value. */
  readonly #blocks: Int32Array<ArrayBuffer>[] = [];
  /** Times and values that have no cell of their own. */
  readonly #listed: NumberList;
  /** The end of the last run, in readings. */
  #end = 0;
  #runs = 0;
  /** Each run begins where the one before it ends. */
  #runStart = new Int32Array(FIRST_ROOM);
  #runBefore = new Int32Array(FIRST_ROOM);
  #state = new Int32Array(FIRST_ROOM * SLOT_CELLS);
  #slots = 0;

  constructor(blockPool: BlockPool, epoch: number) {
    this.#blockPool = blockPool;
    this.#epoch = epoch;
    this.#listed = new NumberList(blockPool);
  }

  get bytes(): number {
    const ofReadings = READING_BYTES * this.#end + LISTED_BYTES * this.#listed.count;
    return ofReadings + RUN_BYTES * this.#runs + SLOT_BYTES * this.#slots;
  }

  countOf(slot: number): number {
    if (slot >= this.#slots) return 0;
    let count = 0;
    let end = this.#state[slot * SLOT_CELLS + NEXT] as number;
    for (let run = this.#lastRun(slot); run !== NONE; run = this.#runBefore[run] as number) {
      count += end - (this.#runStart[run] as number);
      end = this.#endBefore(run);
    }
    return count;
  }

  #lastRun(slot: number): number {
    return this.#state[slot * SLOT_CELLS + LAST_RUN] as number;
  }

  /** The end of the run of the same slot before this one, which is full; any number if there is none. */
  #endBefore(run: number): number {
    return this.#runStart[(this.#runBefore[run] as number) + 1] as number;
  }

  append(slot: number, time: number, value: number): void {
    if (slot >= this.#slots) this.#addSlots(slot + 1);
    const state = this.#state;
    const at = slot * SLOT_CELLS;
    let next = state[at + NEXT] as number;
    if (next === state[at + ROOM_END]) next = this.#addRun(at);
    const block = this.#blocks[next >>> BLOCK_BITS] as Int32Array;
    const cell = 2 * (next & (READINGS_PER_BLOCK - 1));
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
    const block = this.#blocks[position >>> BLOCK_BITS] as Int32Array;
    return this.#timeOf(block[2 * (position & (READINGS_PER_BLOCK - 1))] as number);
  }

  #timeOf(distance: number): number {
    if (distance >= MIN_DISTANCE) return this.#epoch + distance;
    return this.#listed.at(distance - FIRST_PLACE);
  }

  /** The reading of a slot with the newest time, of several the last one; undefined when it has none. */
  newest(slot: number): { readonly at: number; readonly value: number } | undefined {
    const position =
      slot < this.#slots ? (this.#state[slot * SLOT_CELLS + NEWEST] as number) : NONE;
    if (position === NONE) return undefined;
    const block = this.#blocks[position >>> BLOCK_BITS] as Int32Array;
    const cell = block[2 * (position & (READINGS_PER_BLOCK - 1)) + 1] as number;
    return { at: this.#timeAt(position), value: numberOf(cell, this.#listed) };
  }

  #addSlots(needed: number): void {
    this.#state = withRoom(this.#state, needed * SLOT_CELLS);
    for (let slot = this.#slots; slot < needed; slot += 1) {
      this.#state[slot * SLOT_CELLS + LAST_RUN] = NONE;
      this.#state[slot * SLOT_CELLS + NEWEST] = NONE;
    }
    this.#slots = needed;
  }

  /** Returns the start of the new run. `at` is the offset of the slot's state. */
  #addRun(at: number): number {
    if (this.#end === this.#blocks.length * READINGS_PER_BLOCK)
      this.#blocks.push(new Int32Array(this.#blockPool.take()));
    const start = this.#end;
    const before = this.#state[at + LAST_RUN] as number;
    const end = Math.min(
      start + this.#lengthAfter(before, this.#state[at + ROOM_END] as number),
      this.#blocks.length * READINGS_PER_BLOCK,
    );
    const run = this.#runs;
    this.#runStart = withRoom(this.#runStart, run + 1);
    this.#runBefore = withRoom(this.#runBefore, run + 1);
    this.#runStart[run] = start;
    this.#runBefore[run] = before;
    this.#runs += 1;
    this.#state[at + LAST_RUN] = run;
    this.#state[at + ROOM_END] = end;
    this.#end = end;
    return start;
  }

  /** The length of the run that follows one that ends here. */
  #lengthAfter(run: number, end: number): number {
    if (run === NONE) return MIN_RUN_READINGS;
    const length = end - (this.#runStart[run] as number);
    return Math.min(MAX_RUN_READINGS, Math.max(MIN_RUN_READINGS, length + (length >> 1)));
  }

  /** Returns the blocks to the pool. Nothing may be read afterwards. */
  release(): void {
    this.#blockPool.give(this.#blocks.map((block) => block.buffer));
    this.#listed.release();
  }

  /** Copies the readings of a slot into columns that are as long as their number. */
  read(slot: number, times: Float64Array, values: Float64Array | Uint8Array): void {
    let index = times.length;
    if (index === 0) return;
    let end = this.#state[slot * SLOT_CELLS + NEXT] as number;
    for (let run = this.#lastRun(slot); run !== NONE; run = this.#runBefore[run] as number) {
      const start = this.#runStart[run] as number;
      const length = end - start;
      const block = this.#blocks[start >>> BLOCK_BITS] as Int32Array;
      let cell = 2 * (start & (READINGS_PER_BLOCK - 1));
      index -= length;
      for (let at = index; at < index + length; at += 1, cell += 2) {
        times[at] = this.#timeOf(block[cell] as number);
        values[at] = numberOf(block[cell + 1] as number, this.#listed);
      }
      end = this.#endBefore(run);
    }
  }
}
