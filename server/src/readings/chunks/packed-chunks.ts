/** Before the bytes of each chunk: its ordinal and its length, 4 bytes each. */
const HEAD_BYTES = 8;

/** Unpacks chunks that PostgreSQL packed; ordinals count from 1. */
export function unpackChunks(packed: Buffer, count: number): (Buffer | undefined)[] {
  const found = new Array<Buffer | undefined>(count).fill(undefined);
  for (let at = 0; at < packed.length; ) {
    const start = at + HEAD_BYTES;
    const end = start + packed.readInt32BE(at + 4);
    found[packed.readInt32BE(at) - 1] = packed.subarray(start, end);
    at = end;
  }
  return found;
}
