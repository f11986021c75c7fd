import type { ByteReader } from './byte-reader.ts';
import type { ByteWriter } from './byte-writer.ts';
import { DamagedChunk } from './damaged-chunk.ts';

/*
 * Canonical Huffman codes for a small alphabet. Codes are written lowest bit first, so that a reader
 * finds a symbol by the low bits of its window.
 */

export const MAX_SYMBOLS = 32;
/** A code and the low bits of a residual together lie within four bytes at any bit offset. */
export const MAX_CODE_BITS = 11;
const LENGTH_BITS = 4;
export const LENGTH_MASK = (1 << LENGTH_BITS) - 1;

// Scratch space: written before it is read, within one synchronous call.
const weights = new Float64Array(2 * MAX_SYMBOLS);
const parents = new Uint8Array(2 * MAX_SYMBOLS);

/** The code length of each symbol: 0 for one that does not occur, and for one that is alone. */
export function codeLengthsOf(counts: Uint32Array): Uint8Array {
  for (let halvings = 0; ; halvings += 1) {
    const lengths = unlimitedLengthsOf(counts, halvings);
    if (lengths.every((length) => length <= MAX_CODE_BITS)) return lengths;
  }
}

/** Counts are halved so many times, which shortens the longest codes. */
function unlimitedLengthsOf(counts: Uint32Array, halvings: number): Uint8Array {
  const symbols = counts.length;
  const open: number[] = [];
  for (const [symbol, count] of counts.entries()) {
    if (count === 0) continue;
    weights[symbol] = Math.max(1, Math.floor(count / 2 ** halvings));
    open.push(symbol);
  }
  let node = symbols;
  for (; open.length > 1; node += 1) {
    const [a, b] = [takeLightest(open), takeLightest(open)];
    parents[a] = node;
    parents[b] = node;
    weights[node] = (weights[a] as number) + (weights[b] as number);
    open.push(node);
  }
  const root = node - 1;
  return Uint8Array.from(counts, (count, symbol) => (count === 0 ? 0 : depthOf(symbol, root)));
}

function takeLightest(open: number[]): number {
  let lightest = 0;
  for (let index = 1; index < open.length; index += 1) {
    const isLighter =
      (weights[open[index] as number] as number) < (weights[open[lightest] as number] as number);
    if (isLighter) lightest = index;
  }
  return open.splice(lightest, 1)[0] as number;
}

function depthOf(symbol: number, root: number): number {
  let depth = 0;
  for (let node = symbol; node < root; node = parents[node] as number) depth += 1;
  return depth;
}

/** The code of each symbol, its first bit lowest. */
export function codesOf(lengths: Uint8Array): Uint16Array {
  const codes = new Uint16Array(lengths.length);
  let next = 0;
  for (let length = 1; length <= MAX_CODE_BITS; length += 1) {
    next *= 2;
    for (const [symbol, own] of lengths.entries()) {
      if (own === length) codes[symbol] = reversed(next++, length);
    }
  }
  return codes;
}

function reversed(code: number, length: number): number {
  let result = 0;
  for (let bit = 0; bit < length; bit += 1) result |= ((code >>> bit) & 1) << (length - 1 - bit);
  return result;
}

/** Writes the number of symbols, then half a byte for each code length. */
export function writeLengths(writer: ByteWriter, lengths: Uint8Array): void {
  writer.byte(lengths.length);
  for (let symbol = 0; symbol < lengths.length; symbol += 2) {
    writer.byte((lengths[symbol] as number) | ((lengths[symbol + 1] ?? 0) << LENGTH_BITS));
  }
}

export function skipLengths(reader: ByteReader): void {
  reader.take((reader.byte() + 1) >>> 1);
}

/**
 * A table by the low bits of a window: the symbol, shifted left by `shift` and by the bits of a
 * length, and the length of its code. One table is read into again for every code.
 */
export class DecodingTable {
  readonly #entries = new Uint32Array(1 << MAX_CODE_BITS);
  readonly #lengths = new Uint8Array(MAX_SYMBOLS + 1);
  #symbols = 0;
  #shift = 0;
  #isMade = false;
  /** The length of the longest code. */
  bits = 0;

  /** Reads the lengths of a code, and returns how many symbols it has. */
  read(reader: ByteReader, shift: number): number {
    const symbols = reader.byte();
    if (symbols < 1 || symbols > MAX_SYMBOLS) throw new DamagedChunk('its code has no alphabet');
    this.bits = 0;
    for (let symbol = 0; symbol < symbols; symbol += 2) {
      const pair = reader.byte();
      this.#add(symbol, pair & LENGTH_MASK);
      if (symbol + 1 < symbols) this.#add(symbol + 1, pair >>> LENGTH_BITS);
    }
    this.#symbols = symbols;
    this.#shift = shift;
    this.#isMade = false;
    return symbols;
  }

  #add(symbol: number, length: number): void {
    if (length > MAX_CODE_BITS) throw new DamagedChunk('a code in it is too long');
    this.#lengths[symbol] = length;
    this.bits = Math.max(this.bits, length);
  }

  /** The entries; `2 ** bits` of them are valid until the next code is read. */
  get entries(): Uint32Array {
    if (!this.#isMade) this.#make();
    return this.#entries;
  }

  #make(): void {
    const entries = this.#entries;
    sortByLength(this.#lengths, this.#symbols);
    // A single symbol has no bits. It is the first: the range of residuals begins with it.
    if (this.bits === 0) entries[0] = 0;
    let covered = 0;
    let next = 0;
    for (let length = 1; length <= this.bits; length += 1) {
      // What shorter codes cover is repeated for each value of one more bit.
      if (covered > 0) entries.copyWithin(1 << (length - 1), 0, 1 << (length - 1));
      covered *= 2;
      next *= 2;
      const end = ends[length] as number;
      for (let at = ends[length - 1] as number; at < end; at += 1) {
        const symbol = sorted[at] as number;
        entries[reversed(next, length)] = (symbol << (this.#shift + LENGTH_BITS)) | length;
        next += 1;
        covered += 1;
      }
      if (covered > 1 << length) throw new DamagedChunk('its code is not complete');
    }
    if (this.bits > 0 && covered !== 1 << this.bits) {
      throw new DamagedChunk('its code is not complete');
    }
    this.#isMade = true;
  }
}

// Scratch space: written before they are read, within one synchronous call.
const sorted = new Uint8Array(MAX_SYMBOLS);
const ends = new Uint8Array(MAX_CODE_BITS + 1);
const places = new Uint8Array(MAX_CODE_BITS + 1);

/** Sorts symbols by the lengths of their codes, and notes where those of each length end. */
function sortByLength(lengths: Uint8Array, symbols: number): void {
  ends.fill(0);
  for (let symbol = 0; symbol < symbols; symbol += 1) {
    const length = lengths[symbol] as number;
    ends[length] = (ends[length] as number) + 1;
  }
  for (let length = 1; length <= MAX_CODE_BITS; length += 1) {
    ends[length] = (ends[length] as number) + (ends[length - 1] as number);
  }
  places.set(ends);
  for (let symbol = symbols - 1; symbol >= 0; symbol -= 1) {
    const length = lengths[symbol] as number;
    const place = (places[length] as number) - 1;
    places[length] = place;
    sorted[place] = symbol;
  }
}

export const ENTRY_SHIFT = LENGTH_BITS;
