import { describe, expect, it } from 'vitest';
import { decode, decodeRange, visitNumbers } from './chunk-reader.ts';
import { encodeNumbers } from './chunk-writer.ts';
import { type Summary, summaryOf } from './summary.ts';

const START = 1_763_195_400_123;

interface Seen {
  readonly summaries: Summary[];
  readonly times: number[];
  readonly decoded: number;
}

function seen(bytes: Uint8Array, from: number, to: number, summarySuffices: boolean): Seen {
  const summaries: Summary[] = [];
  const found: number[] = [];
  const decoded = visitNumbers(bytes, from, to, {
    summaryEnd: () => (summarySuffices ? Infinity : -Infinity),
    addSummary: (summary) => summaries.push({ ...summary }),
    addReadings: (times, _, start, end) => found.push(...times.subarray(start, end)),
  });
  return { summaries, times: found, decoded };
}

function chunkOf(count: number, valueAt: (index: number) => number) {
  const times = Float64Array.from(
    { length: count },
    (_, index) => START + index * 1_000 + (index % 3),
  );
  const values = Float64Array.from({ length: count }, (_, index) => valueAt(index));
  return { times, values, bytes: encodeNumbers(times, values, count) };
}

describe('visiting a chunk', () => {
  it.each<[string, number, (index: number) => number]>([
    ['decimals', 128, (index) => ((index * 37) % 101) / 4],
    ['a counter', 128, (index) => 17 - index / 8],
    ['decimals of 32 bits', 128, (index) => Math.fround(((index * 37) % 101) / 10)],
    ['a constant of 32 bits', 128, () => Math.fround(0.1)],
    ['integers too large to be summed in steps', 128, (index) => 2 ** 47 - ((index * 37) % 101)],
    ['all digits', 512, (index) => Math.sin(index)],
  ])('passes a summary for each zone: %s', (_name, size, valueAt) => {
    const { times, values, bytes } = chunkOf(1_025, valueAt);
    const { summaries, decoded } = seen(bytes, -Infinity, Infinity, true);
    expect(decoded).toBe(0);
    expect(summaries).toHaveLength(Math.ceil(1_025 / size));
    for (const [zone, { sum, endTime, ...summary }] of summaries.entries()) {
      const start = zone * size;
      const end = Math.min(start + size, 1_025);
      const own = summaryOf(times.subarray(start, end), values.subarray(start, end), end - start);
      const { sum: ownSum, endTime: ownEnd, ...wanted } = own;
      expect(summary).toEqual(wanted);
      expect(sum).toBeCloseTo(ownSum, 9);
      expect(endTime).toBeGreaterThanOrEqual(ownEnd);
      expect(endTime).toBeLessThan(times[end] ?? ownEnd + 1);
    }
  });

  it('decodes readings whose sum overflows', () => {
    const { bytes, times } = chunkOf(1_024, (index) =>
      index < 512 ? 1.7e308 : 0.1 + index * 1e-9,
    );
    const { summaries, times: found } = seen(bytes, -Infinity, Infinity, true);
    expect(summaries).toHaveLength(1);
    expect(found).toEqual([...times.subarray(0, 512)]);
  });

  it('decodes everything without block summaries: one block, exceptions, times far apart', () => {
    const one = chunkOf(128, (index) => index % 5);
    expect(seen(one.bytes, -Infinity, Infinity, true)).toMatchObject({ decoded: 128 });
    expect(seen(chunkOf(129, (index) => index % 5).bytes, 0, Infinity, true).decoded).toBe(0);
    const odd = chunkOf(300, (index) => (index === 77 ? 1 / 3 : index % 5));
    expect(seen(odd.bytes, -Infinity, Infinity, true).times).toEqual([...odd.times]);
    const far = one.times.map((_, index) => (index - 64) * 2 ** 44);
    const farBytes = encodeNumbers(far, one.values, 128);
    expect(seen(farBytes, -Infinity, Infinity, true).times).toEqual([...far]);
  });

  it('decodes only the zones that overlap the range', () => {
    const { bytes, times } = chunkOf(1_024, (index) => ((index * 37) % 101) / 4);
    for (const [first, last] of [
      [0, 0],
      [127, 128],
      [128, 255],
      [500, 501],
      [1_023, 1_023],
    ]) {
      const [from, to] = [times[first as number] as number, times[last as number] as number];
      const { times: found, decoded } = seen(bytes, from, to, false);
      expect(found).toEqual([...times.subarray(first, (last as number) + 1)]);
      const zones = Math.floor((last as number) / 128) - Math.floor((first as number) / 128) + 1;
      expect(decoded).toBe(128 * zones);
      const size = found.length;
      const into = { times: new Float64Array(size), values: new Float64Array(size) };
      expect(decodeRange(bytes, from, to, { kind: 'NUMBER', ...into }, 0)).toBe(size);
      expect([...into.times]).toEqual(found);
      expect([...into.values]).toEqual([
        ...decode(bytes).values.slice(first, (last as number) + 1),
      ]);
    }
  });
});
