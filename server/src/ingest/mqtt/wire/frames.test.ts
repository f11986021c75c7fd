import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { packet } from '../../../../test/support/mqtt.ts';
import { Frames } from './frames.ts';

const MAX_BYTES = 1_000;

/** The packets that come out of bytes which arrive in these pieces, all in the same memory. */
function cut(pieces: readonly Buffer[]) {
  const frames = new Frames(MAX_BYTES);
  const packets: string[] = [];
  for (const piece of pieces) {
    const chunk = Buffer.from(piece);
    frames.push(chunk);
    while (frames.next()) {
      const { bytes, start, content, end } = frames;
      expect(start).toBeLessThan(content);
      expect(content).toBeLessThanOrEqual(end);
      packets.push(bytes.subarray(start, end).toString('hex'));
    }
    frames.retain();
    chunk.fill(0xff);
  }
  return { packets, problem: frames.problem };
}

function split(bytes: Buffer, offsets: readonly number[]): Buffer[] {
  const cuts = [...new Set(offsets.map((offset) => offset % (bytes.length + 1)))].sort(
    (a, b) => a - b,
  );
  return [0, ...cuts].map((start, index) => bytes.subarray(start, cuts[index]));
}

const content = fc.uint8Array({ maxLength: 400 }).map((bytes) => Buffer.from(bytes));
const anyPacket = fc
  .tuple(fc.integer({ min: 0, max: 255 }), content)
  .map(([header, body]) => packet(header, body));

describe('a stream of packets', () => {
  it('is divided into the same packets however it is chunked', () => {
    fc.assert(
      fc.property(fc.array(anyPacket, { maxLength: 8 }), fc.array(fc.nat()), (packets, offsets) => {
        const { packets: found, problem } = cut(split(Buffer.concat(packets), offsets));
        expect(found).toEqual(packets.map((each) => each.toString('hex')));
        expect(problem).toBeUndefined();
      }),
    );
  });

  it('of any bytes yields packets or a problem, however it is chunked', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), fc.array(fc.nat()), (random, offsets) => {
        const bytes = Buffer.from(random);
        expect(cut(split(bytes, offsets))).toEqual(cut([bytes]));
      }),
    );
  });

  it.each([
    [MAX_BYTES - 1, undefined],
    [MAX_BYTES, undefined],
    [MAX_BYTES + 1, 'TOO_LARGE'],
  ])('with a packet of %i bytes', (size, expected) => {
    const { packets, problem } = cut([packet(0x30, Buffer.alloc(size - 3))]);
    expect(problem).toBe(expected);
    expect(packets).toHaveLength(expected ? 0 : 1);
  });

  it('is refused as soon as the length of a packet is too large', () => {
    expect(cut([Buffer.from([0x30, 0xff, 0x7f])]).problem).toBe('TOO_LARGE');
  });

  it('that arrives byte by byte is held in few buffers', () => {
    const frames = new Frames(MAX_BYTES);
    const bytes = packet(0x30, Buffer.alloc(900));
    for (const byte of bytes) {
      expect(frames.next()).toBe(false);
      frames.push(Buffer.from([byte]));
      expect(frames.pieces).toBeLessThanOrEqual(65);
    }
    expect(frames.next()).toBe(true);
  });

  it('has no length of more than four bytes', () => {
    expect(cut([Buffer.from([0x30, 0x80, 0x80, 0x80, 0x80])]).problem).toBe('MALFORMED');
  });
});
