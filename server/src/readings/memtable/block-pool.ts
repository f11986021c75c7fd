export const BLOCK_BITS = 16;
/** A block has this many numbers, or pairs of cells of 32 bits. */
export const NUMBERS_PER_BLOCK = 1 << BLOCK_BITS;

/** The maximum number of unused blocks that are kept, of half a megabyte each. */
const MAX_SPARE_BLOCKS = 64;

/**
 * Blocks for reuse. Allocating and dropping them with every memtable triggers full collections of
 * garbage, during which no reading is acknowledged.
 */
export class BlockPool {
  readonly #blocks: ArrayBuffer[] = [];

  take(): ArrayBuffer {
    return (
      this.#blocks.pop() ?? new ArrayBuffer(Float64Array.BYTES_PER_ELEMENT * NUMBERS_PER_BLOCK)
    );
  }

  give(blocks: readonly ArrayBuffer[]): void {
    this.#blocks.push(...blocks.slice(0, MAX_SPARE_BLOCKS - this.#blocks.length));
  }
}
