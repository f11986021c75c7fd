/** The length of the character groups that names are indexed by. */
const GROUP_LENGTH = 3;
const BUCKET_BITS = 16;
const BUCKET_COUNT = 1 << BUCKET_BITS;
const NAMES_PER_TURN = 2_048;

/**
 * A trigram index of names: which of them may contain a text. Trigrams share buckets by a hash, so a
 * candidate must still be compared. Positions of names are in ascending order everywhere.
 */
export class NameIndex {
  /** By bucket: where its positions begin; one more entry for the end of the last. */
  readonly #starts: Uint32Array;
  readonly #positions: Uint32Array;

  private constructor(starts: Uint32Array, positions: Uint32Array) {
    this.#starts = starts;
    this.#positions = positions;
  }

  /** Yields often enough that other work can run in between. */
  static *build(names: readonly string[]): Generator<undefined, NameIndex> {
    const starts = new Uint32Array(BUCKET_COUNT + 1);
    for (let position = 0; position < names.length; position += 1) {
      for (const bucket of bucketsOf(names[position] as string)) {
        starts[bucket + 1] = (starts[bucket + 1] as number) + 1;
      }
      if (position % NAMES_PER_TURN === 0) yield;
    }
    for (let bucket = 0; bucket < BUCKET_COUNT; bucket += 1) {
      starts[bucket + 1] = (starts[bucket + 1] as number) + (starts[bucket] as number);
    }
    const positions = new Uint32Array(starts[BUCKET_COUNT] as number);
    const ends = starts.slice();
    for (let position = 0; position < names.length; position += 1) {
      for (const bucket of bucketsOf(names[position] as string)) {
        positions[ends[bucket] as number] = position;
        ends[bucket] = (ends[bucket] as number) + 1;
      }
      if (position % NAMES_PER_TURN === 0) yield;
    }
    return new NameIndex(starts, positions);
  }

  /** The names that may contain the text; undefined when it is too short to exclude any. */
  candidates(text: string): Uint32Array | undefined {
    let rarest: number | undefined;
    let next: number | undefined;
    for (const bucket of bucketsOf(text)) {
      if (rarest === undefined || this.#countOf(bucket) < this.#countOf(rarest)) {
        next = rarest;
        rarest = bucket;
      } else if (next === undefined || this.#countOf(bucket) < this.#countOf(next)) {
        next = bucket;
      }
    }
    if (rarest === undefined) return undefined;
    const few = this.#positionsOf(rarest);
    return next === undefined ? few : intersection(few, this.#positionsOf(next));
  }

  #countOf(bucket: number): number {
    return (this.#starts[bucket + 1] as number) - (this.#starts[bucket] as number);
  }

  #positionsOf(bucket: number): Uint32Array {
    return this.#positions.subarray(this.#starts[bucket], this.#starts[bucket + 1]);
  }
}

/** The numbers that are in both lists, which are in ascending order. */
function intersection(few: Uint32Array, many: Uint32Array): Uint32Array {
  const both = new Uint32Array(few.length);
  let count = 0;
  let at = 0;
  for (let index = 0; index < few.length; index += 1) {
    const wanted = few[index] as number;
    while (at < many.length && (many[at] as number) < wanted) at += 1;
    if (many[at] === wanted) both[count++] = wanted;
  }
  return both.subarray(0, count);
}

/** The buckets of the trigrams of a text, each once. */
function bucketsOf(text: string): Iterable<number> {
  const buckets = new Set<number>();
  for (let at = 0; at + GROUP_LENGTH <= text.length; at += 1) {
    const hash =
      Math.imul(text.charCodeAt(at), 0x9e3779b1) ^
      Math.imul(text.charCodeAt(at + 1), 0x85ebca6b) ^
      Math.imul(text.charCodeAt(at + 2), 0xc2b2ae35);
    buckets.add((hash ^ (hash >>> 13)) >>> (32 - BUCKET_BITS));
  }
  return buckets;
}
