import { crc32 } from 'node:zlib';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/support/soak.ts';
import type { Columns } from '../columns/columns.ts';
import { decode, decodeRange, visitNumbers } from './chunk-reader.ts';
import {
  encodeBooleans,
  encodeNumbers,
  encodeStrings,
  MIN_ZONED_READINGS,
} from './chunk-writer.ts';
import { DamagedChunk } from './damaged-chunk.ts';

const COUNT = 200;
const times = Array.from(
  { length: COUNT },
  (_, index) => 1e12 + index * 10_000 + ((index * 7) % 5),
);
const far = times.map((time, index) => (index < 100 ? time - 9e15 : time));

function valuesBy(valueAt: (index: number) => number): number[] {
  return times.map((_, index) => valueAt(index));
}

/** One chunk of every form that there is. */
const SAMPLES: Readonly<Record<string, Uint8Array>> = {
  'one reading': encodeNumbers([0], [0], 1),
  decimals: encodeNumbers(
    times,
    valuesBy((index) => ((index * 31) % 90) / 10),
    COUNT,
  ),
  'decimals with odd ones': encodeNumbers(
    times,
    valuesBy((index) => (index % 60 === 7 ? Math.sqrt(index) : (index % 50) / 100)),
    COUNT,
  ),
  'decimals with outliers': encodeNumbers(
    times,
    valuesBy((index) => (index % 70 === 7 ? 1e12 : index % 4)),
    COUNT,
  ),
  'decimals of 32 bits': encodeNumbers(
    times,
    valuesBy((index) => Math.fround(((index * 31) % 90) / 10)),
    COUNT,
  ),
  'a counter at regular times': encodeNumbers(
    valuesBy((index) => index * 10_000),
    valuesBy((index) => index / 4),
    COUNT,
  ),
  'all digits': encodeNumbers(times, valuesBy(Math.sin), COUNT),
  'far times': encodeNumbers(
    far,
    valuesBy((index) => index),
    COUNT,
  ),
  booleans: encodeBooleans(
    times,
    valuesBy((index) => (index % 3) >> 1),
    COUNT,
  ),
  strings: encodeStrings(
    times,
    times.map((time) => `état ${time % 9}\ud800`),
    COUNT,
  ),
};

/** The same of chunks that are divided into zones. */
const ZONED_COUNT = MIN_ZONED_READINGS;
const zonedTimes = Array.from({ length: ZONED_COUNT }, (_, index) => 1e12 + index * 10_000);
const noise = (index: number, levels: number) => (Math.imul(index + 1, 0x9e37_79b1) >>> 8) % levels;
const zoned = (times: number[], valueAt: (index: number) => number) =>
  encodeNumbers(
    times,
    Float64Array.from(times, (_, index) => valueAt(index)),
    ZONED_COUNT,
  );

const ZONED_SAMPLES: Readonly<Record<string, Uint8Array>> = {
  'zones of lines': zoned(zonedTimes, (index) => Math.floor(index / 9) + noise(index, 9)),
  'zones of differences with exceptions at jittered times': zoned(
    zonedTimes.map((time, index) => time + noise(index, 40)),
    (index) => (3 * index + noise(index, 2) + (index % 500 === 7 ? 1e8 : 0)) / 10,
  ),
  'a number with few changes at times with gaps': zoned(
    zonedTimes.map((time, index) => time + 77 * Math.floor(index / 600) + (index === 9 ? 3 : 0)),
    (index) => Math.floor(index / 700),
  ),
  'booleans in zones': encodeBooleans(
    zonedTimes,
    zonedTimes.map((_, index) => noise(index, 2)),
    ZONED_COUNT,
  ),
  'strings in zones': encodeStrings(
    zonedTimes,
    zonedTimes.map((_, index) => `état ${index >> 9}`),
    ZONED_COUNT,
  ),
};

function attempt(bytes: Uint8Array): Columns | DamagedChunk {
  try {
    return decode(bytes);
  } catch (error) {
    if (error instanceof DamagedChunk) return error;
    throw error;
  }
}

/** Corrects the checksum, so that only the checks of the decoder can find the damage. */
function withValidChecksum(bytes: Uint8Array): Uint8Array {
  return bytes[0] === 3 ? withValidChecksums(bytes) : withValidTrailer(bytes);
}

/** Corrects length and checksum of the data, and the checksum of the head, where it has them. */
function withValidChecksums(bytes: Uint8Array): Uint8Array {
  const corrected = Uint8Array.from(bytes);
  if (bytes.length < 20) return corrected;
  const view = new DataView(corrected.buffer);
  const headBytes = view.getUint32(2, true);
  if (headBytes < 20 || headBytes > bytes.length) return corrected;
  const data = corrected.subarray(headBytes);
  view.setUint32(6, data.length, true);
  view.setUint32(10, crc32(data, data.length), true);
  const end = headBytes - 4;
  view.setUint32(end, crc32(corrected.subarray(0, end), headBytes), true);
  return corrected;
}

function withValidTrailer(bytes: Uint8Array): Uint8Array {
  const bytesWithChecksum = Uint8Array.from(bytes);
  const end = bytesWithChecksum.length - 4;
  if (end >= 0) {
    const checksum = crc32(bytesWithChecksum.subarray(0, end), bytesWithChecksum.length);
    new DataView(bytesWithChecksum.buffer).setUint32(end, checksum, true);
  }
  return bytesWithChecksum;
}

describe('a damaged chunk is an error', () => {
  it('also where it is divided into zones', () => {
    for (const [name, bytes] of Object.entries(ZONED_SAMPLES)) {
      expect(`${name}: version ${bytes[0]}`).toBe(`${name}: version 3`);
    }
  });

  for (const [name, bytes] of Object.entries({ ...SAMPLES, ...ZONED_SAMPLES })) {
    it(`when any bit of it is flipped: ${name}`, () => {
      expect(attempt(bytes)).not.toBeInstanceOf(DamagedChunk);
      expect(withValidChecksum(bytes)).toEqual(bytes);
      for (let bit = 0; bit < bytes.length * 8; bit += 1) {
        const flipped = Uint8Array.from(bytes);
        flipped[bit >> 3] = (flipped[bit >> 3] as number) ^ (1 << (bit & 7));
        if (!(attempt(flipped) instanceof DamagedChunk)) expect.fail(`bit ${bit} was not missed`);
      }
    });

    it(`when it is truncated or extended: ${name}`, () => {
      for (let length = 0; length < bytes.length; length += 1) {
        expect(attempt(bytes.subarray(0, length))).toBeInstanceOf(DamagedChunk);
      }
      const residue = Buffer.from('1cdf4421', 'hex');
      for (const extra of [[0], [0, 0, 0, 0], [...residue], [...bytes], [255, 255]]) {
        expect(attempt(Uint8Array.of(...bytes, ...extra))).toBeInstanceOf(DamagedChunk);
      }
    });
  }

  it('when parts of two chunks are combined', () => {
    const first = encodeNumbers(times, times, COUNT);
    const second = encodeNumbers(
      times,
      times.map((time) => time + 1),
      COUNT,
    );
    let mixtures = 0;
    for (let at = 1; at < first.length; at += 1) {
      const mixed = Buffer.concat([first.subarray(0, at), second.subarray(at)]);
      if (mixed.equals(first) || mixed.equals(second)) continue;
      mixtures += 1;
      expect(attempt(mixed)).toBeInstanceOf(DamagedChunk);
    }
    expect(mixtures).toBeGreaterThan(0);
  });

  it('when it is arbitrary bytes', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 200 }), (bytes) => {
        expect(attempt(bytes)).toBeInstanceOf(DamagedChunk);
      }),
      { numRuns: cases(10_000) },
    );
    expect(attempt(new Uint8Array(100_000))).toBeInstanceOf(DamagedChunk);
  });

  it('when its kind is not the requested one', () => {
    const into: Columns = { kind: 'STRING', times: new Float64Array(COUNT), values: [] };
    const bytes = SAMPLES.decimals as Uint8Array;
    expect(() => decodeRange(bytes, 0, Infinity, into, 0)).toThrow(DamagedChunk);
    expect(() => decodeRange(bytes, 0, Infinity, into, 0)).toThrow(/kind is NUMBER, not STRING/);
  });

  it('that names the chunk once it is identified', () => {
    const damage = new DamagedChunk('its checksum does not match');
    expect(damage.message).toBe('The chunk is damaged: its checksum does not match.');
    const named = damage.of('7 of a Variable');
    expect(named).toBeInstanceOf(DamagedChunk);
    expect(named.message).toBe(
      'The chunk 7 of a Variable is damaged: its checksum does not match.',
    );
    expect([named.name, named.chunk, named.reason]).toEqual([
      'DamagedChunk',
      '7 of a Variable',
      'its checksum does not match',
    ]);
  });

  it('that names the version when that is unknown', () => {
    const bytes = Uint8Array.from(SAMPLES.decimals as Uint8Array);
    bytes[0] = 4;
    expect(() => decode(withValidChecksum(bytes))).toThrow(/version is 4, not up to 3/);
  });
});

describe('a crafted chunk with a valid checksum', { timeout: 120_000 }, () => {
  const samples = fc.constantFrom(...Object.values(SAMPLES), ...Object.values(ZONED_SAMPLES));

  /** The same by the index, which may say anything. */
  function expectHarmlessVisit(bytes: Uint8Array): void {
    for (const summaryEnd of [Infinity, -Infinity, 1e12 + 700_000]) {
      let seen = 0;
      try {
        visitNumbers(bytes, 1e12 + 300_000, 1e12 + 1_500_000, {
          summaryEnd: () => summaryEnd,
          addSummary: ({ count }) => (seen += count),
          addReadings: (found, _, start, end) => (seen += found.subarray(start, end).length),
        });
      } catch (error) {
        if (!(error instanceof DamagedChunk)) throw error;
      }
      expect(seen).toBeLessThanOrEqual(65_536);
    }
  }

  function expectHarmless(bytes: Uint8Array): void {
    expectHarmlessVisit(withValidChecksum(bytes));
    const found = attempt(withValidChecksum(bytes));
    if (found instanceof DamagedChunk) return;
    expect(found.times.length).toBeLessThanOrEqual(65_536);
    expect(found.values.length).toBe(found.times.length);
    if (found.kind === 'STRING') {
      for (const value of found.values) if (typeof value !== 'string') expect.fail('no string');
    }
  }

  it('is decoded or refused with changed bytes', () => {
    const change = fc.record({ at: fc.nat({ max: 10_000 }), to: fc.nat({ max: 255 }) });
    const changes = fc.array(change, { minLength: 1, maxLength: 4 });
    fc.assert(
      fc.property(samples, changes, (sample, list) => {
        const bytes = Uint8Array.from(sample);
        for (const { at, to } of list) bytes[at % bytes.length] = to;
        expectHarmless(bytes);
      }),
      { numRuns: cases(20_000) },
    );
  });

  it('is decoded or refused with removed or inserted bytes', () => {
    fc.assert(
      fc.property(
        samples,
        fc.nat({ max: 10_000 }),
        fc.nat({ max: 12 }),
        fc.uint8Array({ maxLength: 12 }),
        (sample, at, cut, put) => {
          const from = at % sample.length;
          const rest = sample.subarray(Math.min(from + cut, sample.length));
          expectHarmless(Uint8Array.of(...sample.subarray(0, from), ...put, ...rest));
        },
      ),
      { numRuns: cases(10_000) },
    );
  });

  it('is decoded or refused when all of it is random', () => {
    const made = fc
      .tuple(
        fc.constantFrom(1, 2, 3),
        fc.nat({ max: 3 }),
        fc.uint8Array({ minLength: 5, maxLength: 120 }),
      )
      .map(([version, kind, body]) => Uint8Array.of(version, kind, ...body));
    fc.assert(fc.property(made, expectHarmless), { numRuns: cases(10_000) });
  });
});
