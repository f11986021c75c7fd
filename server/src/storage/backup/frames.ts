import { StartFailure } from '../../runtime/index.ts';

/**
 * What a backup is made of, in this order: one head, tables with their data, sequences, the end.
 * A table may come in several parts. `discard` takes the data of the part before it back: the
 * table turned out to be damaged, and its readable rows follow.
 */
export type FrameKind = 'head' | 'table' | 'data' | 'discard' | 'sequences' | 'end';

export interface Frame {
  readonly kind: FrameKind;
  readonly bytes: Buffer;
}

const LETTERS: Readonly<Record<FrameKind, string>> = {
  head: 'H',
  table: 'T',
  data: 'D',
  discard: 'X',
  sequences: 'S',
  end: 'E',
};
const KINDS = new Map(
  (Object.keys(LETTERS) as FrameKind[]).map((kind) => [LETTERS[kind].charCodeAt(0), kind]),
);
const HEADER_BYTES = 5;
/** Far above the size of a message of PostgreSQL; a longer frame is damage. */
const MAX_FRAME_BYTES = 1 << 30;

export function damaged(what: string): StartFailure {
  return new StartFailure(`The backup is damaged: ${what}. Nothing of it was kept.`);
}

/** A letter, the length in four bytes, and as many bytes. */
export function encodeFrame(kind: FrameKind, bytes: Buffer): Buffer {
  const header = Buffer.alloc(HEADER_BYTES);
  header.write(LETTERS[kind], 'latin1');
  header.writeUInt32BE(bytes.length, 1);
  return Buffer.concat([header, bytes]);
}

function readHeader(bytes: Buffer): { kind: FrameKind; length: number } {
  const kind = KINDS.get(bytes.readUInt8(0));
  const length = bytes.readUInt32BE(1);
  if (!kind || length > MAX_FRAME_BYTES) throw damaged('there is no frame where one must begin');
  return { kind, length };
}

/** The frames of a stream of chunks of any size; fails when it ends within a frame. */
export async function* decodeFrames(chunks: AsyncIterable<Buffer>): AsyncGenerator<Frame> {
  let held: Buffer[] = [];
  let heldBytes = 0;
  let wanted = HEADER_BYTES;
  for await (const chunk of chunks) {
    held.push(chunk);
    heldBytes += chunk.length;
    if (heldBytes < wanted) continue;
    let bytes = Buffer.concat(held);
    for (;;) {
      wanted = HEADER_BYTES;
      if (bytes.length < wanted) break;
      const { kind, length } = readHeader(bytes);
      wanted += length;
      if (bytes.length < wanted) break;
      yield { kind, bytes: bytes.subarray(HEADER_BYTES, wanted) };
      bytes = bytes.subarray(wanted);
    }
    held = [bytes];
    heldBytes = bytes.length;
  }
  if (heldBytes > 0) throw damaged('it stops in the middle');
}
