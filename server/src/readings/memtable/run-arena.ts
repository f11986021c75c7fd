import { withRoom } from './growth.ts';

const BLOCK_BITS = 16;
const READINGS_PER_BLOCK = 1 << BLOCK_BITS;
const FIRST_ROOM = 64;
/** The first run of a slot has the minimum length; each further run doubles it up to the maximum. */
const MIN_RUN_READINGS = 4;
const MAX_RUN_READINGS = 256;
const READING_BYTES = 12;
const RUN_BYTES = 8;
const FAR_TIME_BYTES = 8;

// The state of a slot is adjacent in memory, so that it takes one cache line.
const NEXT = 0;
const ROOM_END = 1;
const COUNT = 2;
const LAST_RUN = 3;
const SLOT_CELLS = 4;
const SLOT_BYTES = 4 * SLOT_CELLS;

/**
 * A time is stored as its distance from that of the arena, in milliseconds: 12 days before it to 24 days
 * after it. The few that are further away have a table, and the lower distances are their places in it.
 */
const MIN_DISTANCE = -(2 ** 30);
const FIRST_PLACE = -(2 ** 31);

/** The maximum number of unused blocks that are kept, of three quarters of a megabyte each. */
const MAX_SPARE_BLOCKS = 64;

/** The distances of times, and the values. */
interface Block {
  readonly times: Int32Array;
  readonly values: Float64Array;
}

/**
 * Blocks for reuse. Allocating and dropping them with every memtable triggers full collections of
 * garbage, during which no reading is acknowledged.
 */
export class BlockPool {
  readonly #blocks: Block[] = [];

  take(): Block {
    return (
      this.#blocks.pop() ?? {
        times: new Int32Array(READINGS_PER_BLOCK),
        values: new Float64Array(READINGS_PER_BLOCK),
      }
    );
  }

  give(blocks: readonly Block[]): void {
    this.#blocks.push(...blocks.slice(0, MAX_SPARE_BLOCKS - this.#blocks.length));
  }
}

/**
 * An arena of readings by slot, in order of arrival. Each slot has a chain of runs within a few
 * large blocks: a slot costs little memory, and is read back a run at a time.
 */
export class RunArena {
  readonly #blockPool: BlockPool;
  /** Where most of the times are close to. */
  readonly #epoch: number;
  readonly #blocks: Block[] = [];
  #farTimes = new Float64Array(FIRST_ROOM);
  #farCount = 0;
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
  }

  get bytes(): number {
    const ofReadings = READING_BYTES * this.#end + FAR_TIME_BYTES * this.#farCount;
    return ofReadings + RUN_BYTES * this.#runs + SLOT_BYTES * this.#slots;
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
    const { times, values } = this.#blocks[next >>> BLOCK_BITS] as Block;
    const cell = next & (READINGS_PER_BLOCK - 1);
    const distance = time - this.#epoch;
    const isNear = (distance | 0) === distance && distance >= MIN_DISTANCE;
    times[cell] = isNear ? distance : this.#addFarTime(time);
    values[cell] = value;
    state[at + NEXT] = next + 1;
    state[at + COUNT] = (state[at + COUNT] as number) + 1;
  }

  #addFarTime(time: number): number {
    const place = this.#farCount;
    this.#farTimes = withRoom(this.#farTimes, place + 1);
    this.#farTimes[place] = time;
    this.#farCount += 1;
    return FIRST_PLACE + place;
  }

  #timeAt(distance: number): number {
    if (distance >= MIN_DISTANCE) return this.#epoch + distance;
    return this.#farTimes[distance - FIRST_PLACE] as number;
  }

  #addSlots(needed: number): void {
    this.#state = withRoom(this.#state, needed * SLOT_CELLS);
    for (let slot = this.#slots; slot < needed; slot += 1) {
      this.#state[slot * SLOT_CELLS + LAST_RUN] = -1;
    }
    this.#slots = needed;
  }

  /** Returns the start of the new run. `at` is the offset of the slot's state. */
  #addRun(at: number): number {
    if (this.#end === this.#blocks.length * READINGS_PER_BLOCK)
      this.#blocks.push(this.#blockPool.take());
    const start = this.#end;
    const wanted = Math.min(
      MAX_RUN_READINGS,
      Math.max(MIN_RUN_READINGS, this.#state[at + COUNT] as number),
    );
    const end = Math.min(start + wanted, this.#blocks.length * READINGS_PER_BLOCK);
    const run = this.#runs;
    this.#runStart = withRoom(this.#runStart, run + 1);
    this.#runBefore = withRoom(this.#runBefore, run + 1);
    this.#runStart[run] = start;
    this.#runBefore[run] = this.#state[at + LAST_RUN] as number;
    this.#runs += 1;
    this.#state[at + LAST_RUN] = run;
    this.#state[at + ROOM_END] = end;
    this.#end = end;
    return start;
  }

  /** Returns the blocks to the pool. Nothing may be read afterwards. */
  release(): void {
    this.#blockPool.give(this.#blocks);
  }

  /** Copies the readings of a slot into columns that have space for them. */
  read(slot: number, times: Float64Array, values: Float64Array | Uint8Array): void {
    const at = slot * SLOT_CELLS;
    let index = this.countOf(slot);
    let end = this.#state[at + NEXT] as number;
    let run = this.#state[at + LAST_RUN] as number;
    for (; index > 0; run = this.#runBefore[run] as number) {
      const start = this.#runStart[run] as number;
      const length = end - start;
      const block = this.#blocks[start >>> BLOCK_BITS] as Block;
      let cell = start & (READINGS_PER_BLOCK - 1);
      index -= length;
      for (let at = index; at < index + length; at += 1, cell += 1) {
        times[at] = this.#timeAt(block.times[cell] as number);
        values[at] = block.values[cell] as number;
      }
      if (index > 0) end = this.#runStart[(this.#runBefore[run] as number) + 1] as number;
    }
  }
}
