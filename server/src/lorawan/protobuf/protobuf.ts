/*
 * The little of Protobuf that the interfaces of ChirpStack need: integers, texts and parts. A field that
 * a message has twice counts as its last one says, so that fields are changed by adding them at the end.
 */

/** The fields of a message by number: integers, and texts and parts by their bytes. */
export type Decoded = ReadonlyMap<number, number | Buffer>;

export class BrokenProtobuf extends Error {
  constructor() {
    super('the Protobuf is broken');
  }
}

const SKIPPED_BYTES: Readonly<Record<number, number>> = { 1: 8, 5: 4 };

export function decodeProtobuf(bytes: Buffer): Decoded {
  const fields = new Map<number, number | Buffer>();
  read(bytes, (number, value) => fields.set(number, value));
  return fields;
}

function read(bytes: Buffer, onField: (number: number, value: number | Buffer) => void): void {
  let at = 0;
  const varint = () => {
    let value = 0;
    for (let scale = 1; ; scale *= 128) {
      const byte = bytes[at++];
      if (byte === undefined || scale > 2 ** 63) throw new BrokenProtobuf();
      value += (byte & 127) * scale;
      if (byte < 128) return value;
    }
  };
  while (at < bytes.length) {
    const tag = varint();
    const [number, type] = [Math.floor(tag / 8), tag % 8];
    if (type === 0) onField(number, varint());
    else if (type === 2) {
      const length = varint();
      onField(number, bytes.subarray(at, at + length));
      at += length;
    } else {
      const skipped = SKIPPED_BYTES[type];
      if (skipped === undefined) throw new BrokenProtobuf();
      at += skipped;
    }
  }
  if (at > bytes.length) throw new BrokenProtobuf();
}

export function numberIn(fields: Decoded, number: number): number {
  const value = fields.get(number);
  return typeof value === 'number' ? value : 0;
}

/** The bytes of a text or a part; none where it is left out. */
export function bytesIn(fields: Decoded, number: number): Buffer {
  const value = fields.get(number);
  return Buffer.isBuffer(value) ? value : Buffer.alloc(0);
}

/** Each of the parts with this number, such as the entries of a map. */
export function partsIn(bytes: Buffer, number: number): Buffer[] {
  const parts: Buffer[] = [];
  read(bytes, (found, value) => {
    if (found === number && Buffer.isBuffer(value)) parts.push(value);
  });
  return parts;
}

function varintOf(value: number): Buffer {
  const bytes: number[] = [];
  let left = value;
  for (; left > 127; left = Math.floor(left / 128)) bytes.push((left % 128) + 128);
  return Buffer.from([...bytes, left]);
}

/** A message of integers, texts and parts, by their numbers. */
export function encodeProtobuf(fields: Readonly<Record<number, number | string | Buffer>>): Buffer {
  const parts = Object.entries(fields).flatMap(([number, value]) => {
    if (typeof value === 'number') return [varintOf(8 * Number(number)), varintOf(value)];
    const bytes = Buffer.from(value as Buffer);
    return [varintOf(8 * Number(number) + 2), varintOf(bytes.length), bytes];
  });
  return Buffer.concat(parts);
}
