/** Of one chunk: its place and its length, 4 bytes each, before its bytes. */
const HEAD_BYTES = 8;

/** Takes apart what PostgreSQL packed, by the places of the chunks, which count from 1. */
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
