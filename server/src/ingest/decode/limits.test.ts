import { MAX_LISTED_REJECTIONS } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';
import { type Decoded, decodeDocument, decodePayload } from './decode.ts';
import { EARLIEST_TIME_MS, MAX_AHEAD_MS } from './time.ts';
import { MAX_STRING_LENGTH } from './value.ts';
import { MAX_DEPTH, MAX_PATH_LENGTH, MAX_READINGS } from './walk.ts';

const RECEIVED_AT = Date.UTC(2026, 10, 15, 8, 30);

function decoded(document: unknown, suffix = ''): Decoded {
  return decodeDocument(document, suffix, RECEIVED_AT);
}

/** The one outcome of a document with one reading. */
function outcome(document: unknown, suffix = ''): string {
  const answer = decoded(document, suffix);
  if ('problem' in answer) return answer.problem;
  const [sample] = answer.samples;
  const [rejection] = answer.rejected;
  return sample ? 'taken' : (rejection?.reason ?? 'nothing');
}

describe('the limits', () => {
  it('have the documented values', () => {
    expect(EARLIEST_TIME_MS).toBe(Date.parse('2000-01-01T00:00:00Z'));
    expect(MAX_AHEAD_MS).toBe(600_000);
    expect([MAX_DEPTH, MAX_PATH_LENGTH, MAX_STRING_LENGTH]).toEqual([32, 500, 4096]);
    expect(MAX_READINGS).toBe(200_000);
  });
});

describe('a time', () => {
  it.each([
    [EARLIEST_TIME_MS - 1, 'badTime'],
    [EARLIEST_TIME_MS, 'taken'],
    [EARLIEST_TIME_MS + 1, 'taken'],
    [RECEIVED_AT + MAX_AHEAD_MS - 1, 'taken'],
    [RECEIVED_AT + MAX_AHEAD_MS, 'taken'],
    [RECEIVED_AT + MAX_AHEAD_MS + 1, 'badTime'],
  ])('of %i is %s', (timestamp, expected) => {
    expect(outcome({ timestamp, data: { rpm: 1 } })).toBe(expected);
    expect(outcome({ dataArray: [{ key: 'rpm', value: 1, timestamp }] })).toBe(expected);
  });
});

describe('nesting', () => {
  const problem = 'The payload nests deeper than 32 levels.';
  const inObjects = (levels: number): unknown => (levels === 0 ? 1 : { a: inObjects(levels - 1) });
  const inLists = (levels: number): unknown => (levels === 0 ? 1 : [inLists(levels - 1)]);

  it.each([
    [MAX_DEPTH - 1, 'taken'],
    [MAX_DEPTH, 'taken'],
    [MAX_DEPTH + 1, problem],
  ])('of %i levels in all: %s', (levels, expected) => {
    for (const nested of [inObjects, inLists]) {
      expect(outcome({ a: nested(levels - 1) })).toBe(expected);
      expect(outcome({ data: { a: nested(levels - 2) } })).toBe(expected);
      expect(outcome({ data: {}, a: nested(levels - 1) })).toBe(expected);
      expect(outcome({ dataArray: [{ key: 'a', value: nested(levels - 3) }] })).toBe(expected);
      expect(outcome({ data: [{ key: 'a', value: 1, b: nested(levels - 3) }] })).toBe(expected);
      expect(outcome({ data: [{ key: 'a', value: nested(levels - 3), b: 1 }] })).toBe(expected);
    }
  });

  it('without end is refused without recursion', () => {
    const levels = 1_000_000;
    const payload = `{"a":${'['.repeat(levels)}${']'.repeat(levels)}}`;
    expect(decodePayload(payload, '', RECEIVED_AT)).toEqual({ problem });
  });
});

describe('the number of readings', () => {
  const numbers = Array.from({ length: MAX_READINGS + 1 }, (_, index) => index);
  const range = (length: number) => numbers.slice(0, length);

  it.each<[string, (count: number) => unknown]>([
    ['a plain object', (count) => ({ a: range(count - 2), b: 1, c: 2 })],
    ['a nested list', (count) => ({ a: [range(count)] })],
    ['entries', (count) => ({ dataArray: range(count).map((n) => ({ key: 'k', value: n })) })],
    [
      'entries with values of two',
      (count) => ({
        data: [
          { key: 'a', value: range(count - 2) },
          { key: 'b', value: [1, 2] },
        ],
      }),
    ],
    [
      'entries with one more field',
      (count) => ({
        data: [{ key: 'a', value: range(count - 1), b: 1 }],
      }),
    ],
    ['rejected ones beside', (count) => ({ a: range(count), b: [null, {}] })],
  ])('is limited in %s', (_form, make) => {
    for (const count of [MAX_READINGS - 1, MAX_READINGS]) {
      const answer = decoded(make(count));
      expect('problem' in answer || answer.samples.length).toBe(count);
    }
    const problem = 'The payload has more than 200000 readings.';
    expect(decoded(make(MAX_READINGS + 1))).toEqual({ problem });
  });

  it.each<[string, (count: number) => unknown]>([
    ['values of no type', (count) => ({ a: range(count).map(() => null) })],
    ['taken ones beside', (count) => ({ a: range(count).map(() => null), b: range(9) })],
    ['entries without a key', (count) => ({ data: range(count), beside: 1 })],
    ['bad times', (count) => ({ timestamp: 0, data: { a: range(count) } })],
    ['empty containers', (count) => ({ a: range(count).map((n) => (n % 2 ? {} : [])) })],
  ])('of rejected values is limited in %s', (_form, make) => {
    for (const count of [MAX_READINGS - 1, MAX_READINGS]) {
      const answer = decoded(make(count));
      expect('problem' in answer || answer.rejected.length).toBe(count);
    }
    const problem = 'The payload has more than 200000 values that cannot be taken.';
    expect(decoded(make(MAX_READINGS + 1))).toEqual({ problem });
  });
});

describe('the length of a text', () => {
  it.each([
    [MAX_STRING_LENGTH - 1, 'taken'],
    [MAX_STRING_LENGTH, 'taken'],
    [MAX_STRING_LENGTH + 1, 'wrongType'],
  ])('of %i code points: %s', (length, expected) => {
    expect(outcome({ mode: 'x'.repeat(length) })).toBe(expected);
    expect(outcome({ mode: '🔋'.repeat(length) })).toBe(expected);
    expect(outcome({ mode: `${'🔋'.repeat(length - 1)}x` })).toBe(expected);
  });
});

describe('the length of a path', () => {
  it.each([
    [MAX_PATH_LENGTH - 1, 'taken'],
    [MAX_PATH_LENGTH, 'taken'],
    [MAX_PATH_LENGTH + 1, 'unknownPath'],
  ])('of %i code points: %s', (length, expected) => {
    for (const letter of ['x', '🔋']) {
      const rest = letter.repeat(length - 2);
      expect(outcome({ [`ab${rest}`]: 1 })).toBe(expected);
      expect(outcome({ a: { [rest]: 1 } })).toBe(expected);
      expect(outcome({ data: { [rest]: { a: 1 } } })).toBe(expected);
      expect(outcome({ [rest]: [1] })).toBe(expected);
      expect(outcome({ data: [{ key: `ab${rest}`, value: 1 }] })).toBe(expected);
      expect(outcome({ a: 1 }, rest)).toBe(expected);
      expect(outcome(1, `ab${rest}`)).toBe(expected);
    }
  });

  it('is truncated in rejections, between code points', () => {
    const key = `x${'🔋'.repeat(600)}`;
    const answer = decoded({ [key]: 1, [`${key}${key}`]: [null], y: { [key]: {} } });
    expect(answer).toEqual({
      samples: [],
      rejected: [
        { key: `x${'🔋'.repeat(499)}…`, reason: 'unknownPath' },
        { key: `x${'🔋'.repeat(499)}…`, reason: 'wrongType' },
        { key: `y.x${'🔋'.repeat(497)}…`, reason: 'wrongType' },
      ],
    });
  });

  it('is complete in rejections for another reason', () => {
    const key = '🔋'.repeat(MAX_PATH_LENGTH);
    expect(decoded({ [key]: null })).toEqual({
      samples: [],
      rejected: [{ key, reason: 'wrongType' }],
    });
  });

  const huge = 'x'.repeat(4 * 1024 * 1024);
  const many = Array.from({ length: MAX_LISTED_REJECTIONS + 1 }, () => 1);
  const fields = Object.fromEntries(many.map((value, index) => [`k${index}`, value]));
  const { k0: value, ...others } = fields;

  it.each([
    ['a key', { [huge]: many }, ''],
    ['a nested key', { data: { a: { [huge]: { b: fields } } } }, ''],
    ['the key of an entry', { data: [{ ...others, key: huge, value }] }, ''],
    ['the topic suffix', fields, huge],
  ])('of millions in %s is not repeated for every reading below', (_where, document, suffix) => {
    const answer = decoded(document, suffix);
    if ('problem' in answer) throw new Error(answer.problem);
    expect(answer.samples).toEqual([]);
    expect(answer.rejected).toHaveLength(MAX_LISTED_REJECTIONS + 1);
    const lengths = answer.rejected.map(({ key }) => key.length);
    expect(lengths.pop()).toBe(0);
    expect(new Set(lengths)).toEqual(new Set([MAX_PATH_LENGTH + 1]));
  });
});
