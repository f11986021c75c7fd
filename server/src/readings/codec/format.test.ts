import { describe, expect, it } from 'vitest';
import { decode } from './chunk-reader.ts';
import { encodeBooleans, encodeNumbers, encodeStrings } from './chunk-writer.ts';

const times = [1_763_195_400_123, 1_763_195_410_119, 1_763_195_420_131, 1_763_195_430_125];
const far = [-Number.MAX_SAFE_INTEGER, 0, Number.MAX_SAFE_INTEGER];
const seconds = Array.from({ length: 130 }, (_, index) => index * 1_000);
const late = seconds.map((time, index) => time + (index % 3));
const quarters = seconds.map((_, index) => ((index * 7) % 5) / 4);

const HEAD = '0100041900000000b0fb2a6aa8794200d04e326aa8794200050002048a4e9100';

/** Chunks as each version writes them: stored history must stay readable. */
const WRITTEN = [
  {
    name: 'decimals',
    times,
    values: [21.5, 21.6, -3.25, 21.4],
    hex: `${HEAD}080004cc210509dd07efe303680f3c81c679`,
  },
  {
    name: 'numbers of all digits',
    times,
    values: [Math.PI, -0, 5e-324, Number.MAX_VALUE],
    hex: `${HEAD}ff1c00000000f687c9800820f587c98018fb2109c00000000000000080ffffefff00b0b4a1c40a20afb4a1c40a182d44540000000001000000ffffffff708c2ed1`,
  },
  {
    name: 'times far apart, and products of 0.1',
    times: far,
    values: [234 * 0.1, 0.1, 3 * 0.1],
    hex: '01000330000000ffffffffffff3fc3ffffffffffff3f43010b00000001ffffff0101feffff0101000220010100000000000000ffffffff050000d40308d103e90002cc46f8e8',
  },
];

/** Of more than a block: as version 1 wrote them, and as version 2 does. */
const INDEXED = [
  {
    name: 'decimals',
    times: late,
    values: quarters,
    old: '0100820138000000000000000000000000000000807eff4000010002cc0fcff33ccff33ccff33ccff33ccff33ccff33ccff33ccff33ccff33ccff33ccff300000800040019030010338819c40c620631839841cc206610338819c40c620631839841cc206610338819c40c620631839841cc206610338802020830f281c3',
    hex: '0200820138000000000000000000000000000000807eff4000010002cc0fcff33ccff33ccff33ccff33ccff33ccff33ccff33ccff33ccff33ccff33ccff300003a0000000800040019030010338819c40c620631839841cc206610338819c40c620631839841cc206610338819c40c620631839841cc20661033880202080182e8070800048004050400020457b809f9',
  },
  {
    name: 'a counter',
    times: seconds,
    values: seconds.map((_, index) => 17.5 - index / 4),
    old: '0100820116000000000000000000000000000000807eff40000700e80702080007ac1b1901cee50835',
    hex: '0200820116000000000000000000000000000000807eff40000700e8070207000000080007ac1b190101c158263f',
  },
  {
    name: 'decimals of 32 bits',
    times: seconds,
    values: seconds.map((_, index) => Math.fround(0.1 + (index % 2))),
    old: '0100820116000000000000000000000000000000807eff40000700e80702060004020a0100aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa010002728200a7',
    hex: '0200820116000000000000000000000000000000807eff40000700e807021a000000060004020a0100aaaaaaaaaaaaaaaaaaaaaaaaaaaaaaaa010002020200010000003a33335340010200010000003a3333f33fda020825',
  },
  {
    name: 'all digits',
    times: seconds,
    values: seconds.map((_, index) => (index < 120 ? Math.PI : Math.E)),
    old: '0100820116000000000000000000000000000000807eff40000700e80702ff1d00000005f687c98008f1c50d0101ffffffffffffffffffffffffffff7fff000205b0b4a1c40ad1d4c0b60301000000000000000000000000000000800000003be1bae5',
    hex: '0200820116000000000000000000000000000000807eff40000700e8070241000000ff1d00000005f687c98008f1c50d0101ffffffffffffffffffffffffffff7fff000205b0b4a1c40ad1d4c0b6030100000000000000000000000000000080000000036957148b0abf0540182d4454fb2109401081dd71c8427940182d4454fb2109406957148b0abf0540debafb99',
  },
  {
    name: 'decimals with an outlier and an odd one',
    times: seconds,
    values: quarters.with(77, 1e9).with(78, 1 / 3),
    old: '0100820116000000000000000000000000000000807eff40000700e807020801039c01000700000003aad5aafd070003aad5aad50a00040019830010338819c40c620631839841cc206610338819c40c620631839841cc206010338819c40c620631839841cc2066103388024df8cfacf30e4ef8cfacf30e020208fd845d56',
    hex: '0200820116000000000000000000000000000000807eff40000700e807025d0000000801039c01000700000003aad5aafd070003aad5aad50a00040019830010338819c40c620631839841cc206610338819c40c620631839841cc206010338819c40c620631839841cc2066103388024df8cfacf30e4ef8cfacf30e02020800fc076265',
  },
];

describe('version 1', () => {
  for (const { name, times, values, hex } of WRITTEN) {
    it(`is read and written to the byte: ${name}`, () => {
      const found = decode(Buffer.from(hex, 'hex'));
      expect([...found.times]).toEqual(times);
      expect([...found.values]).toEqual(values);
      expect(Buffer.from(encodeNumbers(times, values, times.length)).toString('hex')).toBe(hex);
    });
  }

  for (const { name, times, values, old } of INDEXED) {
    it(`is read: ${name}, more than a block`, () => {
      const found = decode(Buffer.from(old, 'hex'));
      expect([...found.times]).toEqual(times);
      expect([...found.values]).toEqual(values);
    });
  }

  it('is read and written to the byte: booleans', () => {
    const hex = `${HEAD.replace('0100', '0101')}00020101090a984f74`;
    const bytes = encodeBooleans(times, [true, false, false, true], 4);
    expect(Buffer.from(bytes).toString('hex')).toBe(hex);
    expect(decode(Buffer.from(hex, 'hex')).values).toEqual(Uint8Array.of(1, 0, 0, 1));
  });

  it('is read and written to the byte: strings', () => {
    const texts = ['RUNNING', 'état', '', '\ud800'];
    const hex = `${HEAD.replace('0100', '0102')}04120000000e52554e4e494e470ac3a9746174000500d8030002670dee5a`;
    expect(Buffer.from(encodeStrings(times, texts, 4)).toString('hex')).toBe(hex);
    expect(decode(Buffer.from(hex, 'hex')).values).toEqual(texts);
  });

  it('is read from the middle of other bytes', () => {
    const chunk = Buffer.from(WRITTEN[0]?.hex ?? '', 'hex');
    const around = Buffer.concat([Buffer.alloc(3, 255), chunk, Buffer.alloc(3, 255)]);
    expect([...decode(around.subarray(3, 3 + chunk.length)).times]).toEqual(times);
  });
});

describe('version 2', () => {
  for (const { name, times, values, hex } of INDEXED) {
    it(`is read and written to the byte: ${name}`, () => {
      const found = decode(Buffer.from(hex, 'hex'));
      expect([...found.times]).toEqual(times);
      expect([...found.values]).toEqual(values);
      expect(Buffer.from(encodeNumbers(times, values, times.length)).toString('hex')).toBe(hex);
    });
  }
});
