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

export function readLengths(reader: ByteReader): Uint8Array {
  const symbols = reader.byte();
  if (symbols < 1 || symbols > MAX_SYMBOLS) throw new DamagedChunk('its code has no alphabet');
  const lengths = new Uint8Array(symbols + 1);
  for (let symbol = 0; symbol < symbols; symbol += 2) {
    const pair = reader.byte();
    lengths[symbol] = pair & LENGTH_MASK;
    lengths[symbol + 1] = pair >>> LENGTH_BITS;
  }
  return lengths.subarray(0, symbols);
}

// Scratch space: a table is valid until the next is made.
const tableRoom = new Uint32Array(1 << MAX_CODE_BITS);

/**
 * A table by the low bits of a window: the symbol, shifted left by `shift` and by the bits of a
 * length, and the length of its code. Its size is a power of two.
 */
export function decodingTable(lengths: Uint8Array, shift: number): Uint32Array {
  const longest = lengths.reduce((most, length) => Math.max(most, length), 0);
  if (longest > MAX_CODE_BITS) throw new DamagedChunk('a code in it is too long');
  const table = tableRoom.subarray(0, 1 << longest);
  const codes = codesOf(lengths);
  let filled = 0;
  for (const [symbol, length] of lengths.entries()) {
    if (length === 0) continue;
    const entry = (symbol << (shift + LENGTH_BITS)) | length;
    const stride = 1 << length;
    for (let index = codes[symbol] as number; index < table.length; index += stride) {
      table[index] = entry;
      filled += 1;
    }
  }
  // A single symbol has no bits. It is the first: the range of residuals begins with it.
  if (longest === 0) table[0] = 0;
  if (longest > 0 && filled !== table.length) throw new DamagedChunk('its code is not complete');
  return table;
}

export const ENTRY_SHIFT = LENGTH_BITS;
