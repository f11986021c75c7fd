import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../test/support/soak.ts';
import { decodePayload, decodePlain } from './decode.ts';
import { PlainPayload } from './plain-payload.ts';
import { NO_TIMESTAMP } from './time.ts';
import type { RejectedSample, Sample } from './walk.ts';

const RECEIVED_AT = Date.UTC(2026, 10, 15, 8, 30);

/** Decodes from bytes and, by way of a parsed document, from text; both must find the same. */
function expectSame(json: string, suffix = ''): void {
  const fromBytes = decodePayload(Buffer.from(json), suffix, RECEIVED_AT);
  expect(fromBytes).toStrictEqual(decodePayload(json, suffix, RECEIVED_AT));
}

/** What is decoded ahead, before another payload, has the same readings. */
function expectSameAhead(json: string): void {
  const ahead = decodePlain(Buffer.from(json), RECEIVED_AT);
  if (ahead === undefined) return;
  decodePlain(Buffer.from('{"dataArray":[{"key":"other","value":"text"}]}'), RECEIVED_AT);
  const samples: Sample[] = [];
  ahead.walk({
    take: (path, value, at) =>
      samples.push({ path, value, at: at === NO_TIMESTAMP ? RECEIVED_AT : at }),
  });
  const rejected: RejectedSample[] = [];
  expect({ samples, rejected }).toStrictEqual(decodePayload(json, '', RECEIVED_AT));
}

function isPlain(json: string): boolean {
  return new PlainPayload().decode(Buffer.from(json), RECEIVED_AT) !== undefined;
}

const space = fc.constantFrom('', '', '', ' ', '\n', '\t \r\n');
const name = fc.oneof(
  fc.constantFrom('rpm', 'voltsA', 'a.b', 'a/b', 'engine.oil.pressure', 'x'.repeat(64)),
  fc.constantFrom('__proto__', 'constructor', 'toString', 'data', 'dataArray', 'timestamp', 'key'),
  fc.constantFrom('', '0', '7', '10', '01', '-1', '1.5', 'x'.repeat(65), 'ü🔋', 'a"b', 'a\\b'),
  fc.string({ maxLength: 6 }),
);
const digits = fc.string({ unit: fc.constantFrom(...'0123456789'), minLength: 1, maxLength: 20 });
const number = fc.oneof(
  fc.double({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.float({ noNaN: true, noDefaultInfinity: true }).map((value) => JSON.stringify(value)),
  fc.integer().map(String),
  fc.tuple(fc.constantFrom('', '-'), digits, digits).map(([sign, a, b]) => `${sign}${a}.${b}`),
  fc
    .tuple(fc.constantFrom('', '-'), digits, fc.constantFrom('e', 'E', 'e+', 'E-'), fc.nat(330))
    .map(([sign, a, e, b]) => `${sign}${a}${e}${b}`),
  fc.constantFrom('-0', '0', '-0.0', '0e0', '-0e-5', '1e400', '-1e400', '1E5', '5e-324', '1e-400'),
  fc.constantFrom('9007199254740993', '0.1', '1.7976931348623159e308', '123456789012345.6'),
  fc.constantFrom(
    '01',
    '-01',
    '+1',
    '.5',
    '1.',
    '-',
    '1e',
    '1e+',
    '0x10',
    'NaN',
    'Infinity',
    '1_0',
  ),
);
const other = fc.oneof(
  fc.constantFrom('true', 'false', 'null', 'tru', 'True', 'falsey', 'undefined', '[]', '{}'),
  fc.constantFrom('[1]', '{"a":1}', '{"rpm":{"b":[true]}}', '"', '""', '"a\u0001"', '"\u007f"'),
  fc.constantFrom('"\\u0000"', '"\\ud800"', '"\\n"', '"ü"', '"RUN"', `"${'s'.repeat(4_097)}"`),
  fc.string({ maxLength: 8 }).map((text) => JSON.stringify(text)),
);
const field = fc
  .tuple(space, name, space, fc.oneof({ weight: 3, arbitrary: number }, other), space)
  .map(([a, key, b, value, c]) => `${a}${JSON.stringify(key)}${b}:${a}${value}${c}`);
const fields = fc.array(field, { maxLength: 8 }).map((all) => `{${all.join()}}`);
const timestamp = fc.oneof(
  fc.integer({ min: RECEIVED_AT - 1e9, max: RECEIVED_AT + 600_001 }).map(String),
  fc.constantFrom('null', '"now"', '0', '-0', '1.5', '1.7e12', `${RECEIVED_AT}.0`, '01'),
);
const part = fc.oneof(
  {
    weight: 4,
    arbitrary: fc
      .tuple(space, name, space)
      .map(([a, key, b]) => `"key"${a}:${b}${JSON.stringify(key)}`),
  },
  { weight: 4, arbitrary: fc.tuple(space, number).map(([a, value]) => `"value":${a}${value}`) },
  { weight: 2, arbitrary: other.map((value) => `"value":${value}`) },
  { weight: 3, arbitrary: timestamp.map((at) => `"timestamp":${at}`) },
  { weight: 1, arbitrary: field },
);
const plainEntry = fc
  .tuple(fc.constantFrom('rpm', 'voltsA', 'mode'), number, fc.option(timestamp))
  .map(([key, value, at]) => {
    const time = at === null ? '' : `,"timestamp":${at}`;
    return `{"key":"${key}","value":${value}${time}}`;
  });
const entry = fc.oneof(
  { weight: 3, arbitrary: plainEntry },
  fc
    .tuple(space, fc.array(part, { maxLength: 4 }), space)
    .map(([a, parts, b]) => `${a}{${b}${parts.join(`${b},${a}`)}${a}}${b}`),
  fc.constantFrom('null', '1', '[]', '{}', '"key"', '{"key":"a","value":1}}'),
);
const list = fc
  .tuple(space, fc.array(entry, { maxLength: 6 }))
  .map(([a, entries]) => `[${a}${entries.join(`${a},`)}${a}]`);
const listDocument = fc
  .tuple(fc.constantFrom('data', 'dataArray'), list, timestamp, fc.nat(4), fields)
  .map(([key, entries, at, form, beside]) => {
    if (form === 0) return `{"timestamp":${at},"${key}":${entries}}`;
    if (form === 1) return `{"${key}":${entries},"timestamp":${at}}`;
    if (form === 2) return `{"${key}":${entries},"rpm":1}`;
    return form === 3 ? `{"dataArray":${beside}}` : `{"${key}":${entries}}`;
  });
const document = fc.oneof(
  listDocument,
  fields,
  fields.map((data) => `{"data":${data}}`),
  fc
    .tuple(timestamp, space, fields)
    .map(([at, s, data]) => `{"timestamp":${at},${s}"data":${data}}`),
  fc.tuple(timestamp, fields).map(([at, data]) => `{"data":${data},"timestamp":${at}}`),
  fc.tuple(timestamp, fields, field).map(([at, d, f]) => `{"timestamp":${at},"data":${d},${f}}`),
);
const suffix = fc.constantFrom('', '', 'engine', 'engine/main', 'x'.repeat(600));

describe('a payload that is decoded from its bytes', () => {
  it('has exactly the readings of the parsed document, whatever its fields are', () => {
    fc.assert(
      fc.property(document, suffix, (json, topic) => expectSame(json, topic)),
      { numRuns: cases(30_000) },
    );
  });

  it('has exactly these readings when it is decoded ahead of a later payload', () => {
    fc.assert(fc.property(document, expectSameAhead), { numRuns: cases(10_000) });
  });

  it('has exactly the readings of the parsed document when a valid one is damaged', () => {
    const good = [
      '{"voltsA":230.1,"voltsB":229.8,"ampsA":-0.5,"on":true,"off":false,"mode":"AUTO"}',
      '{ "rpm": 1800.5, "hours": 10234.25, "count": 12345678901234567, "small": 1e-7 }',
      `{"timestamp":${RECEIVED_AT},"data":{"rpm":1800.5,"mode":"AUTO"}}`,
      `{"dataArray":[{"key":"rpm","value":1.5,"timestamp":${RECEIVED_AT}},{"key":"on","value":true}]}`,
      `{"timestamp":${RECEIVED_AT},"data":[{"value":"AUTO","key":"mode"},{"key":"rpm","value":-2}]}`,
    ];
    const damage = fc.array(
      fc.tuple(fc.nat(160), fc.constantFrom(...'{}[]":,.-+eE01 \\\n\u0000ü'), fc.boolean()),
      { maxLength: 4 },
    );
    fc.assert(
      fc.property(fc.constantFrom(...good), damage, (json, spots) => {
        let text = json;
        for (const [spot, unit, isInserted] of spots) {
          const at = spot % text.length;
          text = text.slice(0, at) + unit + text.slice(isInserted ? at : at + 1);
        }
        expectSame(text);
      }),
      { numRuns: cases(30_000) },
    );
  });

  it('keeps the last of two values when keys that share a place of the key table repeat', () => {
    // More keys than the table has, so that each place is taken by several of them.
    for (let first = 0; first < 40_000; first += 50) {
      const keys = Array.from({ length: 50 }, (_, index) => `key ${first + index}`);
      const all = [...keys, keys[first % 50] as string];
      expectSame(`{${all.map((key, index) => `"${key}":${index}`).join()}}`);
    }
  });

  it('rounds every decimal as JSON.parse does', () => {
    const decimal = fc.tuple(fc.maxSafeInteger(), fc.nat(17)).map(([value, places]) => {
      const text = String(Math.abs(value)).padStart(places + 1, '0');
      const split = text.length - places;
      return (
        (value < 0 ? '-' : '') + text.slice(0, split) + (places ? `.${text.slice(split)}` : '')
      );
    });
    fc.assert(
      fc.property(decimal, (text) => expectSame(`{"value":${text}}`)),
      { numRuns: cases(30_000) },
    );
  });

  it('is one of numbers, booleans and plain strings, alone or in data beside a timestamp', () => {
    expect(isPlain('{"rpm":1800.5,"on":true,"off":false,"mode":"AUTO","small":1e-7}')).toBe(true);
    expect(isPlain('{ "rpm": 21.299999237060547,\n "oil": -0.5 }\n')).toBe(true);
    expect(isPlain('{"data":{"rpm":1800.5}}')).toBe(true);
    expect(isPlain(`{"timestamp": ${RECEIVED_AT}, "data": {"rpm": 1800.5}}`)).toBe(true);
  });

  it('is a list of entries with such values, in any order of their fields', () => {
    const entries = `[ {"key":"rpm","value":1800.5,"timestamp":${RECEIVED_AT}},{"value":true, "key":"on"} ]`;
    expect(isPlain(`{"dataArray":${entries}}`)).toBe(true);
    expect(isPlain(`{"data":${entries}}`)).toBe(true);
    expect(isPlain(`{"timestamp":${RECEIVED_AT},"dataArray":${entries}}`)).toBe(true);
  });

  it('may have more readings than the decoder has room for at first', () => {
    const entries = Array.from(
      { length: 1_000 },
      (_, index) =>
        `{"key":"k${index % 300}","value":${index}.5,"timestamp":${RECEIVED_AT - index}}`,
    );
    const json = `{"dataArray":[${entries.join()}]}`;
    expect(isPlain(json)).toBe(true);
    expectSame(json);
    const object = `{${Array.from({ length: 200 }, (_, index) => `"k${index}":"s${index}"`).join()}}`;
    expect(isPlain(object)).toBe(true);
    expectSame(object);
  });

  it('is left to the decoder of documents when it is anything else', () => {
    const others = [
      '{}',
      '[1]',
      '1',
      '',
      '{"a":null}',
      '{"a":{"b":1}}',
      '{"a":1,"a":2}',
      '{"a":1}x',
      '{"dataArray":{"a":1}}',
      '{"dataArray":[]}',
      '{"dataArray":[{"key":"a"}]}',
      '{"dataArray":[{"key":"a","value":1,"unit":"V"}]}',
      '{"dataArray":[{"key":"a","value":1,"value":2}]}',
      '{"dataArray":[{"key":"a","value":1,"timestamp":1}]}',
      '{"dataArray":[{"key":"a","value":1}],"b":1}',
      '{"data":{"a":1},"b":1}',
    ];
    expect(others.filter(isPlain)).toEqual([]);
  });
});
