import { randomBytes } from 'node:crypto';
import { describe, expect, it } from 'vitest';
import { createRandom, type Random } from '../../../../test/support/random.ts';
import { cases } from '../../../../test/support/soak.ts';
import { createRingMemory, MAX_RECORD_BYTES, RingReader, RingWriter } from './ring.ts';

interface Written {
  readonly connection: number;
  readonly kind: number;
  readonly content: Buffer;
}

const CONTENT = randomBytes(2 * MAX_RECORD_BYTES);
const RECORDS = cases(20_000);

/** A ring whose counters begin at a number of bytes, and how often each of its ends was woken. */
function newRing(from = 0) {
  const memory = createRingMemory();
  new Int32Array(memory.control).fill(from, 0, 2);
  const woken = { reader: 0, writer: 0 };
  const writer = new RingWriter(memory, () => {
    woken.reader += 1;
  });
  const reader = new RingReader(memory, () => {
    woken.writer += 1;
  });
  return { writer, reader, woken };
}

/** Mostly short ones, and some of any length. */
function newRecord(random: Random): Written {
  const length = random.below(random.below(4) === 0 ? MAX_RECORD_BYTES + 1 : 300);
  const start = random.below(MAX_RECORD_BYTES);
  return {
    connection: random.below(2 ** 31),
    kind: 1 + random.below(6),
    content: CONTENT.subarray(start, start + length),
  };
}

describe('a ring between two threads', () => {
  it.each([
    ['at the start', 0],
    ['where its counters become negative', 2 ** 31 - 8 * 100_000],
    ['where its counters become zero again', -8 * 100_000],
  ])('passes every record once and in order, %s', (_, from) => {
    const seed = Date.now();
    const random = createRandom(seed);
    const { writer, reader } = newRing(from);
    const waiting: Written[] = [];
    let read = 0;
    const visit = (connection: number, kind: number, content: Buffer) => {
      const record = waiting.shift();
      expect([connection, kind], `seed ${seed}`).toEqual([record?.connection, record?.kind]);
      expect(record?.content.equals(content), `seed ${seed}`).toBe(true);
      read += 1;
    };
    for (let count = 0; count < RECORDS; ) {
      const record = newRecord(random);
      if (writer.append(record.connection, record.kind, record.content)) {
        waiting.push(record);
        count += 1;
      } else {
        expect(waiting.length, 'a full ring has records').toBeGreaterThan(0);
        reader.read(visit);
      }
      if (random.below(20) === 0) writer.publish();
      if (random.below(20) === 0) reader.read(visit);
    }
    writer.publish();
    while (reader.read(visit));
    expect([read, waiting.length]).toEqual([RECORDS, 0]);
  });

  it('shows records only once they are published', () => {
    const { writer, reader } = newRing();
    const seen: number[] = [];
    writer.append(7, 1, undefined);
    expect(reader.read((id) => seen.push(id))).toBe(false);
    writer.publish();
    expect(reader.read((id) => seen.push(id))).toBe(true);
    expect(seen).toEqual([7]);
  });

  it('wakes the reader for the first record after it found none, and not for the next', () => {
    const { writer, reader, woken } = newRing();
    reader.read(() => undefined);
    for (const id of [1, 2]) {
      writer.append(id, 1, undefined);
      writer.publish();
    }
    expect(woken.reader).toBe(1);
    while (reader.read(() => undefined));
    writer.append(3, 1, undefined);
    writer.publish();
    expect(woken.reader).toBe(2);
  });

  it('wakes a writer that found no room once there is some, and shows what it wrote before', () => {
    const { writer, reader, woken } = newRing();
    const content = CONTENT.subarray(0, MAX_RECORD_BYTES);
    let written = 0;
    while (writer.append(written, 1, content)) written += 1;
    expect(written).toBeGreaterThan(10);
    expect(woken.writer).toBe(0);
    expect(reader.read(() => undefined)).toBe(true);
    expect(woken.writer).toBe(1);
    expect(writer.append(written, 1, content)).toBe(true);
  });
});
