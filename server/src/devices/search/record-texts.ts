const BLOCK_BITS = 20;
const BLOCK_BYTES = 1 << BLOCK_BITS;
const BLOCK_MASK = BLOCK_BYTES - 1;
/** Each text is preceded by the lengths of its first two parts and its own, of 16 bits each. */
const HEAD_BYTES = 6;

/** The JSON of a record, divided where the values stand that are known only when it is sent. */
export type RecordText = readonly [head: string, middle: string, tail: string];

interface Block {
  readonly bytes: Buffer;
  readonly view: DataView;
}

function newBlock(): Block {
  const bytes = Buffer.allocUnsafeSlow(BLOCK_BYTES);
  return { bytes, view: new DataView(bytes.buffer) };
}

/** The values between the parts of a text, as JSON. */
type Values = readonly [first: DataView, second: DataView];

/**
 * The JSON of many records, in a few large blocks outside of the heap: neither their number nor their
 * length costs garbage collections anything. Texts are only added; a changed record gets a new one.
 */
export class RecordTexts {
  readonly #blocks: Block[] = [];
  #end = 0;

  get bytes(): number {
    return this.#blocks.length * BLOCK_BYTES;
  }

  /** Returns the place of the text. */
  add([head, middle, tail]: RecordText): number {
    // A text does not cross the end of a block. A character has at most three bytes.
    const room = HEAD_BYTES + 3 * (head.length + middle.length + tail.length);
    if (this.#end + room > this.bytes) {
      this.#end = this.bytes;
      this.#blocks.push(newBlock());
    }
    const place = this.#end;
    const { bytes, view } = this.#blockOf(place);
    const at = place & BLOCK_MASK;
    const begin = at + HEAD_BYTES;
    const middleAt = begin + bytes.write(head, begin);
    const tailAt = middleAt + bytes.write(middle, middleAt);
    const end = tailAt + bytes.write(tail, tailAt);
    view.setUint16(at, middleAt - begin);
    view.setUint16(at + 2, tailAt - begin);
    view.setUint16(at + 4, end - begin);
    this.#end += end - at;
    return place;
  }

  /** A slice of a text that is ASCII, such as an id. */
  ascii(place: number, from: number, to: number): string {
    const start = (place & BLOCK_MASK) + HEAD_BYTES;
    return this.#blockOf(place).bytes.toString('latin1', start + from, start + to);
  }

  lengthOf(place: number): number {
    return this.#blockOf(place).view.getUint16((place & BLOCK_MASK) + 4);
  }

  /** Writes a text with its values, and returns its end. */
  write(place: number, [first, second]: Values, target: DataView, start: number): number {
    const { view } = this.#blockOf(place);
    const at = place & BLOCK_MASK;
    const begin = at + HEAD_BYTES;
    const middle = begin + view.getUint16(at);
    const tail = begin + view.getUint16(at + 2);
    const end = begin + view.getUint16(at + 4);
    let to = copy(view, begin, middle, target, start);
    to = copy(first, 0, first.byteLength, target, to);
    to = copy(view, middle, tail, target, to);
    to = copy(second, 0, second.byteLength, target, to);
    return copy(view, tail, end, target, to);
  }

  #blockOf(place: number): Block {
    return this.#blocks[place >>> BLOCK_BITS] as Block;
  }
}

/** JSON in ASCII that can be written between the parts of a record. */
export function asciiJson(json: string): DataView {
  const { buffer, byteOffset, length } = Buffer.from(json, 'latin1');
  return new DataView(buffer, byteOffset, length);
}

/** Four bytes at a time, which for a few hundred bytes is faster than a view and a call. */
function copy(source: DataView, from: number, to: number, target: DataView, start: number): number {
  const shift = start - from;
  const whole = to - ((to - from) & 3);
  for (let at = from; at < whole; at += 4) target.setUint32(at + shift, source.getUint32(at));
  for (let at = whole; at < to; at += 1) target.setUint8(at + shift, source.getUint8(at));
  return to + shift;
}
