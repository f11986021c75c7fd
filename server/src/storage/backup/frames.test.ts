import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { decodeFrames, encodeFrame, type FrameKind } from './frames.ts';

const frame = fc.record({
  kind: fc.constantFrom<FrameKind>('head', 'table', 'data', 'sequences', 'end'),
  bytes: fc.uint8Array({ maxLength: 300 }).map((bytes) => Buffer.from(bytes)),
});

async function decoded(bytes: Buffer, chunkBytes: number) {
  async function* chunks() {
    for (let at = 0; at < bytes.length; at += chunkBytes) {
      yield bytes.subarray(at, at + chunkBytes);
    }
  }
  const frames: { kind: FrameKind; bytes: Buffer }[] = [];
  for await (const { kind, bytes: held } of decodeFrames(chunks())) {
    frames.push({ kind, bytes: Buffer.from(held) });
  }
  return frames;
}

describe('the frames of a backup', () => {
  it('come back as they were, wherever the stream is cut', async () => {
    await fc.assert(
      fc.asyncProperty(fc.array(frame), fc.integer({ min: 1, max: 400 }), async (frames, cut) => {
        const bytes = Buffer.concat(frames.map(({ kind, bytes }) => encodeFrame(kind, bytes)));
        expect(await decoded(bytes, cut)).toEqual(frames);
      }),
    );
  });

  it('are damaged when the stream ends within one', async () => {
    const bytes = encodeFrame('data', Buffer.from('twelve bytes'));
    for (const length of [1, 4, 5, bytes.length - 1]) {
      await expect(decoded(bytes.subarray(0, length), 3)).rejects.toThrow(
        'The backup is damaged: it stops in the middle',
      );
    }
  });

  it('are damaged where none begins', async () => {
    await expect(decoded(Buffer.from('<html>nothing</html>'), 7)).rejects.toThrow(
      'The backup is damaged: there is no frame where one must begin',
    );
    await expect(decoded(Buffer.from([68, 255, 255, 255, 255]), 5)).rejects.toThrow('damaged');
  });
});
