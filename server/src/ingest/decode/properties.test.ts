import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { codePoint } from '../../../test/support/code-point.ts';
import { cases } from '../../../test/support/soak.ts';
import { type Decoded, decodeDocument, decodePayload } from './decode.ts';
import { MAX_PATH_LENGTH, MAX_READINGS, type Sample } from './walk.ts';

const RECEIVED_AT = Date.UTC(2026, 10, 15, 8, 30);

/** A JSON text, and what must be found in it: paths below its own, each with its value or none. */
interface Known {
  readonly json: string;
  readonly expected: readonly { readonly below: string; readonly value?: unknown }[];
}

const key = fc.oneof(
  fc.constantFrom('rpm', 'a.b', 'a/b', '__proto__', 'constructor', '', '0', 'key', 'value', 'ü🔋'),
  fc.string({ unit: 'grapheme', maxLength: 8 }),
);

const leaf: fc.Arbitrary<Known> = fc.oneof(
  fc
    .oneof(
      fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => value + 0),
      fc.boolean(),
      fc.string({ unit: 'grapheme', maxLength: 10 }),
    )
    .filter((value) => typeof value !== 'string' || !value.includes('\0'))
    .map((value) => ({ json: JSON.stringify(value), expected: [{ below: '', value }] })),
  fc
    .constantFrom('null', '1e400', '{}', '[]', String.raw`"\u0000"`, String.raw`"x\udc00"`)
    .map((json) => ({ json, expected: [{ below: '' }] })),
);

const { tree } = fc.letrec<{ tree: Known }>((tie) => ({
  tree: fc.oneof(
    { maxDepth: 5, withCrossShrink: true },
    leaf,
    fc.array(tie('tree'), { minLength: 1, maxLength: 4 }).map((items) => ({
      json: `[${items.map(({ json }) => json).join()}]`,
      expected: items.flatMap((item, index) => lead(`.${index}`, item)),
    })),
    fields(tie('tree'), 1).map((pairs) => ({
      json: objectOf(pairs),
      expected: pairs.flatMap(([name, item]) => lead(`.${name}`, item)),
    })),
  ),
}));

function lead(before: string, { expected }: Known): Known['expected'] {
  return expected.map((item) => ({ ...item, below: before + item.below }));
}

function fields(value: fc.Arbitrary<Known>, minLength: number) {
  return fc.uniqueArray(fc.tuple(key, value), {
    selector: ([name]) => name,
    minLength,
    maxLength: 5,
  });
}

function objectOf(pairs: readonly (readonly [string, { readonly json: string }])[]): string {
  return `{${pairs.map(([name, { json }]) => `${JSON.stringify(name)}:${json}`).join()}}`;
}

/** What a `timestamp` field says, and the time that it stands for: null is a bad one. */
const time = fc.option(
  fc.oneof(
    fc.integer({ min: RECEIVED_AT - 1e9, max: RECEIVED_AT + 600_000 }).map((at) => ({
      json: String(at),
      at: at as number | null,
    })),
    fc.constantFrom('"now"', '0', 'null', `${RECEIVED_AT}.5`).map((json) => ({ json, at: null })),
  ),
  { nil: undefined },
);

const arrival = { at: RECEIVED_AT };

const suffix = fc.constantFrom('', 'engine', 'engine/main');

function prefixOf(topic: string): string {
  return topic === '' ? '' : `${topic}/`;
}

interface Expectation {
  readonly path: string;
  readonly value?: unknown;
  readonly at: number | null;
}

function expectations(path: string, { expected }: Known, at: number | null): Expectation[] {
  return expected.map(({ below, ...rest }) => ({ ...rest, path: path + below, at }));
}

/** Compares as sets, because JavaScript moves keys that look like numbers to the front. */
function expectFound(answer: Decoded, expected: readonly Expectation[]): void {
  if ('problem' in answer) throw new Error(answer.problem);
  const sorted = (list: readonly unknown[]) => list.map((item) => JSON.stringify(item)).sort();
  const isTaken = ({ value, at }: Expectation) => value !== undefined && at !== null;
  expect(sorted(answer.samples)).toEqual(
    sorted(expected.filter(isTaken).map(({ path, value, at }) => ({ path, value, at }))),
  );
  expect(sorted(answer.rejected)).toEqual(
    sorted(
      expected
        .filter((item) => !isTaken(item))
        .map((item) => ({
          key: item.path,
          reason: item.value === undefined ? 'wrongType' : 'badTime',
        })),
    ),
  );
}

/** Reads the JSON in every way, each of which must find the same. */
function expectEverywhere(json: string, topic: string, expected: readonly Expectation[]): void {
  expectFound(decodePayload(Buffer.from(json), topic, RECEIVED_AT), expected);
  expectFound(decodePayload(json, topic, RECEIVED_AT), expected);
  expectFound(decodeDocument(JSON.parse(json), topic, RECEIVED_AT), expected);
}

describe('from any document', () => {
  it('exactly the values are decoded, each under its path, in a plain object', () => {
    fc.assert(
      fc.property(fields(tree, 0), suffix, (pairs, topic) => {
        const expected = pairs.flatMap(([name, item]) =>
          expectations(prefixOf(topic) + name, item, RECEIVED_AT),
        );
        expectEverywhere(objectOf(pairs), topic, expected);
      }),
      { numRuns: cases(5_000) },
    );
  });

  it('exactly the values are decoded, at the stated time, in data', () => {
    fc.assert(
      fc.property(fields(tree, 0), suffix, time, (pairs, topic, stated) => {
        const at = stated === undefined ? RECEIVED_AT : stated.at;
        const data = ['data', { json: objectOf(pairs) }] as const;
        const envelope = stated ? [data, ['timestamp', stated] as const] : [data];
        const expected = pairs.flatMap(([name, item]) =>
          expectations(prefixOf(topic) + name, item, at),
        );
        expectEverywhere(objectOf(envelope), topic, expected);
      }),
      { numRuns: cases(5_000) },
    );
  });

  it('exactly the values are decoded, each at its own time, in entries', () => {
    const entries = fc.array(fc.tuple(key, tree, time), { maxLength: 5 });
    const name = fc.constantFrom('data', 'dataArray');
    fc.assert(
      fc.property(entries, suffix, time, name, (list, topic, above, listName) => {
        const json = list.map(([entryKey, value, own]) =>
          objectOf([
            ...(own ? [['timestamp', own] as const] : []),
            ['key', { json: JSON.stringify(entryKey) }],
            ['value', value],
          ]),
        );
        const expected = list.flatMap(([entryKey, value, own]) =>
          expectations(prefixOf(topic) + entryKey, value, (own ?? above ?? arrival).at),
        );
        const envelope = [
          ...(above ? [['timestamp', above] as const] : []),
          [listName, { json: `[${json.join()}]` }] as const,
        ];
        expectEverywhere(objectOf(envelope), topic, expected);
      }),
      { numRuns: cases(5_000) },
    );
  });
});

/** What holds of any answer, whatever was sent. */
function expectSound(answer: Decoded): void {
  if ('problem' in answer) {
    expect(answer.problem).toMatch(/\.$/);
    return;
  }
  const { samples, rejected } = answer;
  expect(samples.length).toBeLessThanOrEqual(MAX_READINGS);
  expect(rejected.length).toBeLessThanOrEqual(MAX_READINGS);
  expect(samples.filter((sample) => !isSound(sample))).toEqual([]);
  expect(rejected.filter((rejection) => !isClean(rejection.key))).toEqual([]);
}

function isSound({ path, value, at }: Sample): boolean {
  const isGood =
    typeof value === 'string'
      ? isClean(value)
      : typeof value === 'boolean' || Number.isFinite(value);
  return isGood && isClean(path) && [...path].length <= MAX_PATH_LENGTH && Number.isInteger(at);
}

function isClean(text: string): boolean {
  return text.isWellFormed() && !text.includes('\0');
}

describe('any input', () => {
  it('of bytes has a result', () => {
    fc.assert(
      fc.property(fc.uint8Array({ maxLength: 60 }), suffix, (bytes, topic) => {
        expectSound(decodePayload(bytes, topic, RECEIVED_AT));
      }),
      { numRuns: cases(20_000) },
    );
  });

  it('of a damaged valid payload has a result', () => {
    const good = [
      '{"timestamp":1763195400000,"data":{"rpm":1800.5,"mode":"AUTO","a":[true,null]}}',
      '{"dataArray":[{"key":"rpm","value":1800,"timestamp":1763195400000}]}',
      '{"data":[{"key":"\\u0000\\ud83d\\ude00","value":{"a":[1,"é🔋"]}}],"x":-1.5e3}',
    ];
    const damage = fc.array(fc.tuple(fc.nat(200), fc.nat(255)), { maxLength: 4 });
    fc.assert(
      fc.property(fc.constantFrom(...good), damage, suffix, (json, spots, topic) => {
        const bytes = Buffer.from(json);
        for (const [position, byte] of spots) bytes[position % bytes.length] = byte;
        expectSound(decodePayload(bytes, topic, RECEIVED_AT));
      }),
      { numRuns: cases(20_000) },
    );
  });

  it('of JSON has a result', () => {
    const name = fc.oneof(
      fc.constantFrom('data', 'dataArray', 'key', 'value', 'timestamp', '__proto__'),
      fc.string({ unit: codePoint, maxLength: 5 }),
    );
    const document = fc.anything({
      key: name,
      maxDepth: 5,
      values: [
        fc.double(),
        fc.boolean(),
        fc.constant(null),
        fc.constant(undefined),
        fc.string({ unit: codePoint }),
        fc.array(fc.integer({ min: 0xd7ff, max: 0xe000 })).map((u) => String.fromCharCode(...u)),
      ],
    });
    fc.assert(
      fc.property(document, suffix, (value, topic) => {
        expectSound(decodeDocument(value, topic, RECEIVED_AT));
        const json = JSON.stringify(value) ?? '';
        expectSound(decodePayload(json, topic, RECEIVED_AT));
        expectSound(decodePayload(Buffer.from(json), topic, RECEIVED_AT));
      }),
      { numRuns: cases(20_000) },
    );
  });
});
