const BLOCK_BITS = 20;
const BLOCK_BYTES = 1 << BLOCK_BITS;
const BLOCK_MASK = BLOCK_BYTES - 1;
/** Each text is preceded by the lengths of its first two parts and its own, of 16 bits each. */
const HEAD_BYTES = 6;

/** The JSON of a record, divided where the values stand that are known only when it is sent. */
export type RecordText = readonly [head: string, middle: string, tail: string];

/** The values between the parts of a text, as JSON. */
type Values = readonly [first: Uint8Array, second: Uint8Array];

/**
 * The JSON of many records, in a few large blocks outside of the heap: neither their number nor their
 * length costs garbage collections anything. Texts are only added; a changed record gets a new one.
 */
export class RecordTexts {
  readonly #blocks: Buffer[] = [];
  #end = 0;

  get bytes(): number {
    return this.#blocks.length * BLOCK_BYTES;
  }

  /** Returns the place of the text. */
  add(text: RecordText): number {
    const parts = text.map((part) => Buffer.from(part));
    const [head, middle] = parts as [Buffer, Buffer];
    const bytes = Buffer.concat(parts);
    const length = HEAD_BYTES + bytes.length;
    // A text does not cross the end of a block.
    if (this.#end + length > this.bytes) {
      this.#end = this.bytes;
      this.#blocks.push(Buffer.allocUnsafeSlow(BLOCK_BYTES));
    }
    const place = this.#end;
    const [block, at] = this.#find(place);
    block.writeUInt16LE(head.length, at);
    block.writeUInt16LE(head.length + middle.length, at + 2);
    block.writeUInt16LE(bytes.length, at + 4);
    bytes.copy(block, at + HEAD_BYTES);
    this.#end += length;
    return place;
  }

  /** A slice of a text that is ASCII, such as an id. */
  ascii(place: number, from: number, to: number): string {
    const [block, at] = this.#find(place);
    return block.toString('latin1', at + HEAD_BYTES + from, at + HEAD_BYTES + to);
  }

  lengthOf(place: number): number {
    const [block, at] = this.#find(place);
    return block.readUInt16LE(at + 4);
  }

  /** Writes a text with its values, and returns its end. */
  write(place: number, [first, second]: Values, target: Uint8Array, start: number): number {
    const [block, at] = this.#find(place);
    const begin = at + HEAD_BYTES;
    const middle = begin + block.readUInt16LE(at);
    const tail = begin + block.readUInt16LE(at + 2);
    const end = begin + block.readUInt16LE(at + 4);
    let to = copy(block, begin, middle, target, start);
    to = copy(first, 0, first.length, target, to);
    to = copy(block, middle, tail, target, to);
    to = copy(second, 0, second.length, target, to);
    return copy(block, tail, end, target, to);
  }

  #find(place: number): [block: Buffer, at: number] {
    return [this.#blocks[place >>> BLOCK_BITS] as Buffer, place & BLOCK_MASK];
  }
}

/** Byte by byte, which for a few hundred bytes is faster than a view and a call. */
function copy(
  source: Uint8Array,
  from: number,
  to: number,
  target: Uint8Array,
  start: number,
): number {
  for (let at = from; at < to; at += 1) target[start + at - from] = source[at] as number;
  return start + to - from;
}
