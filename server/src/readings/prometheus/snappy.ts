/*
 * The block format of Snappy: the length of the content as a varint, then literals, and copies of
 * what came before. https://github.com/google/snappy/blob/main/format_description.txt
 */

const LITERAL = 0;
const COPY_1 = 1;
const COPY_2 = 2;
/** A literal whose length takes the four bytes that follow. */
const LITERAL_OF_4_BYTES = 63 << 2;

/** Undefined when the block is damaged, or longer than allowed when it is decompressed. */
export function decompress(block: Uint8Array, maxBytes: number): Uint8Array | undefined {
  const head = lengthIn(block);
  if (!head || head.length > maxBytes) return undefined;
  const content = new Uint8Array(head.length);
  let from = head.end;
  let to = 0;
  while (from < block.length) {
    const element = elementAt(block, from);
    const { length } = element;
    if (to + length > content.length) return undefined;
    if (element.offset === undefined) {
      if (element.end + length > block.length) return undefined;
      content.set(block.subarray(element.end, element.end + length), to);
      from = element.end + length;
    } else {
      if (element.offset === 0 || element.offset > to) return undefined;
      // A copy may overlap with what it writes: it then repeats itself.
      for (let index = to; index < to + length; index += 1) {
        content[index] = content[index - element.offset] as number;
      }
      from = element.end;
    }
    to += length;
  }
  return to === content.length ? content : undefined;
}

/** A valid block, as long as its content: compressing costs more than a local network does. */
export function literalBlock(parts: readonly Uint8Array[]): Buffer {
  const length = parts.reduce((sum, part) => sum + part.length, 0);
  const head: number[] = [];
  for (let rest = length; ; rest >>>= 7) {
    head.push(rest > 0x7f ? (rest & 0x7f) | 0x80 : rest);
    if (rest <= 0x7f) break;
  }
  if (length === 0) return Buffer.from(head);
  const tag = Buffer.alloc(5);
  tag[0] = LITERAL_OF_4_BYTES;
  tag.writeUInt32LE(length - 1, 1);
  return Buffer.concat([Buffer.from(head), tag, ...parts]);
}

function lengthIn(block: Uint8Array): { length: number; end: number } | undefined {
  let length = 0;
  for (let end = 0; end < 5; end += 1) {
    const byte = block[end];
    if (byte === undefined) return undefined;
    length += (byte & 0x7f) * 2 ** (7 * end);
    if (byte < 0x80) return { length, end: end + 1 };
  }
  return undefined;
}

interface Element {
  readonly length: number;
  /** How far back a copy begins; undefined for a literal. */
  readonly offset?: number;
  /** Where the tag ends. */
  readonly end: number;
}

function elementAt(block: Uint8Array, at: number): Element {
  const tag = block[at] as number;
  const kind = tag & 3;
  const short = tag >> 2;
  if (kind === LITERAL) {
    if (short < 60) return { length: short + 1, end: at + 1 };
    const bytes = short - 59;
    return { length: littleEndian(block, at + 1, bytes) + 1, end: at + 1 + bytes };
  }
  if (kind === COPY_1) {
    const offset = ((tag >> 5) << 8) | (block[at + 1] ?? 0);
    return { length: (short & 7) + 4, offset, end: at + 2 };
  }
  const bytes = kind === COPY_2 ? 2 : 4;
  return { length: short + 1, offset: littleEndian(block, at + 1, bytes), end: at + 1 + bytes };
}

function littleEndian(block: Uint8Array, at: number, bytes: number): number {
  let value = 0;
  for (let index = 0; index < bytes; index += 1)
    value += (block[at + index] ?? 0) * 2 ** (8 * index);
  return value;
}
