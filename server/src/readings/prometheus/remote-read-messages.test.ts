import fc from 'fast-check';
import { expect, it } from 'vitest';
import {
  decodeReadRequest,
  encodeLabels,
  encodeReadResponse,
  encodeSamples,
} from './remote-read-messages.ts';

/** Written down by hand from the definition of the message. */
const REQUEST = [
  '0a 25', // queries
  '08 e8 07', // start_timestamp_ms: 1000
  '10 d0 0f', // end_timestamp_ms: 2000
  '1a 11 08 00 12 08 5f 5f 6e 61 6d 65 5f 5f 1a 03 66 6f 6f', // __name__ = foo
  '1a 08 08 02 12 01 61 1a 01 62', // a =~ b
  '22 00', // hints
].join(' ');

const bytes = (hex: string) => Buffer.from(hex.replaceAll(' ', ''), 'hex');

it('a request has its queries with times and matchers; what is not needed is skipped', () => {
  expect(decodeReadRequest(bytes(REQUEST))).toEqual({
    queries: [
      {
        startTime: 1_000,
        endTime: 2_000,
        matchers: [
          { match: 'EQUAL', name: '__name__', value: 'foo' },
          { match: 'PATTERN', name: 'a', value: 'b' },
        ],
      },
    ],
  });
});

it('a time before 1970 is negative', () => {
  const query = bytes('0a 0b 08 ff ff ff ff ff ff ff ff ff 01');
  expect(decodeReadRequest(query)?.queries[0]?.startTime).toBe(-1);
});

it.each([
  ['a field that is cut off', '0a 25 08'],
  ['an integer without an end', 'ff'.repeat(11)],
  ['an unknown kind of field', '0b'],
  ['an unknown kind of matcher', '0a 06 1a 04 08 04 12 00'],
])('a request with %s is none', (_, hex) => {
  expect(decodeReadRequest(bytes(hex))).toBeUndefined();
});

it('any bytes are a request or none', () => {
  fc.assert(
    fc.property(fc.uint8Array({ maxLength: 60 }), (any) => {
      const decoded = decodeReadRequest(any);
      expect(decoded === undefined || Array.isArray(decoded.queries)).toBe(true);
    }),
  );
});

it('a response has the series of each query, with labels and samples', () => {
  const series = [
    encodeLabels([['a', 'b']]),
    encodeSamples({ times: [1_700_000_000_000], values: [1.5] }),
    encodeSamples({ times: [300], values: Uint8Array.of(1) }),
  ];
  expect(Buffer.concat(encodeReadResponse([[series], []])).toString('hex')).toBe(
    [
      '0a2a', // a result
      '0a28', // a series
      '0a06' + '0a0161' + '120162', // a label
      '1210' + '09000000000000f83f' + '1080d095ffbc31', // a sample
      '120c' + '09000000000000f03f' + '10ac02', // another one
      '0a00', // a result without series
    ].join(''),
  );
});
