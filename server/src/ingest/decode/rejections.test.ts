import { describe, expect, it } from 'vitest';
import { decodePayload } from './decode.ts';

const RECEIVED_AT = Date.UTC(2026, 10, 15, 8, 30);
const GOOD = RECEIVED_AT - 5000;

function decoded(json: string, suffix = '') {
  const fromText = decodePayload(json, suffix, RECEIVED_AT);
  expect(decodePayload(Buffer.from(json), suffix, RECEIVED_AT)).toEqual(fromText);
  return fromText;
}

function keysRejected(reason: string, ...keys: readonly string[]) {
  return keys.map((key) => ({ key, reason }));
}

describe('a field that is not a value', () => {
  it('is rejected under its path while the others are accepted', () => {
    const json = '{"a":null,"b":{"c":null,"d":1},"e":[null],"f":{},"g":[],"h":1e999,"i":-1e999}';
    expect(decoded(json)).toEqual({
      samples: [{ path: 'b.d', value: 1, at: RECEIVED_AT }],
      rejected: keysRejected('wrongType', 'a', 'b.c', 'e.0', 'f', 'g', 'h', 'i'),
    });
  });

  it('includes text with NUL or a lone surrogate', () => {
    const json = String.raw`{"a":"x\u0000","b":"\ud800","c":"\udc00x","d":"\ud83d\ude00","e":"\ud83d\ud83d\ude00"}`;
    expect(decoded(json)).toEqual({
      samples: [{ path: 'd', value: '😀', at: RECEIVED_AT }],
      rejected: keysRejected('wrongType', 'a', 'b', 'c', 'e'),
    });
  });

  it('is detected in text with a lone surrogate without an escape', () => {
    expect(decodePayload('{"a":"\ud800"}', '', RECEIVED_AT)).toEqual({
      samples: [],
      rejected: keysRejected('wrongType', 'a'),
    });
  });
});

describe('a key with NUL or a lone surrogate', () => {
  it('is rejected once with everything below, and shown without them', () => {
    const json = String.raw`{"a\u0000":{"x":1,"y":2},"\ud800b":1,"c":{"\udfff":1},"\ud83d\ude00":1}`;
    expect(decoded(json)).toEqual({
      samples: [{ path: '😀', value: 1, at: RECEIVED_AT }],
      rejected: keysRejected('wrongType', 'a\ufffd', '\ufffdb', 'c.\ufffd'),
    });
  });

  it('rejects its entry', () => {
    const json = String.raw`{"dataArray":[{"key":"a\u0000","value":1,"unit":"V"},{"key":"b","value":1,"\u0000":2}]}`;
    expect(decoded(json, 'feed')).toEqual({
      samples: [{ path: 'feed/b', value: 1, at: RECEIVED_AT }],
      rejected: keysRejected('wrongType', 'feed/a\ufffd', 'feed/b.\ufffd'),
    });
  });
});

describe('an invalid time', () => {
  it.each([
    ['an ISO string', '"2026-11-15T08:30:00.000Z"'],
    ['a number in a string', `"${GOOD}"`],
    ['seconds', String(GOOD / 1000)],
    ['a fraction', `${GOOD}.5`],
    ['a boolean', 'true'],
    ['null', 'null'],
    ['an object', '{}'],
    ['a list', `[${GOOD}]`],
    ['infinite', '1e999'],
    ['negative', '-1'],
  ])('is %s', (_what, time) => {
    expect(decoded(`{"timestamp":${time},"data":{"rpm":1,"oil":{"bar":2}},"seq":3}`)).toEqual({
      samples: [],
      rejected: keysRejected('badTime', 'rpm', 'oil.bar', 'seq'),
    });
    expect(
      decoded(
        `{"dataArray":[{"key":"rpm","value":1,"timestamp":${time}},{"key":"bar","value":2}]}`,
      ),
    ).toEqual({
      samples: [{ path: 'bar', value: 2, at: RECEIVED_AT }],
      rejected: keysRejected('badTime', 'rpm'),
    });
  });

  it('at the top does not affect entries with a valid time of their own', () => {
    const entries = `[{"key":"rpm","value":1,"timestamp":${GOOD}},{"key":"bar","value":2}]`;
    expect(decoded(`{"timestamp":0,"data":${entries}}`)).toEqual({
      samples: [{ path: 'rpm', value: 1, at: GOOD }],
      rejected: keysRejected('badTime', 'bar'),
    });
  });

  it('is not the reason for the rejection of a reading without a value', () => {
    expect(decoded('{"timestamp":0,"data":{"rpm":null,"bar":1}}')).toEqual({
      samples: [],
      rejected: [...keysRejected('wrongType', 'rpm'), ...keysRejected('badTime', 'bar')],
    });
  });

  it('includes no integer in another notation', () => {
    expect(decoded('{"timestamp":1.7e12,"data":{"rpm":1}}')).toEqual({
      samples: [{ path: 'rpm', value: 1, at: 1_700_000_000_000 }],
      rejected: [],
    });
  });
});

describe('a key that is special in JavaScript', () => {
  it('is an ordinary key', () => {
    const json =
      '{"__proto__":{"polluted":1},"constructor":{"prototype":{"polluted":2}},"toString":3}';
    expect(decoded(json)).toEqual({
      samples: [
        { path: '__proto__.polluted', value: 1, at: RECEIVED_AT },
        { path: 'constructor.prototype.polluted', value: 2, at: RECEIVED_AT },
        { path: 'toString', value: 3, at: RECEIVED_AT },
      ],
      rejected: [],
    });
    expect(decoded('{"data":{"__proto__":1},"__proto__":{"timestamp":0}}')).toEqual({
      samples: [
        { path: '__proto__', value: 1, at: RECEIVED_AT },
        { path: '__proto__.timestamp', value: 0, at: RECEIVED_AT },
      ],
      rejected: [],
    });
    expect({}).not.toHaveProperty('polluted');
  });

  it('does not turn an object into an entry or an envelope', () => {
    expect(decoded('{"__proto__":{"data":{"rpm":1}}}')).toEqual({
      samples: [{ path: '__proto__.data.rpm', value: 1, at: RECEIVED_AT }],
      rejected: [],
    });
    expect(decoded('{"data":[{"__proto__":{"key":"rpm","value":1}}]}')).toEqual({
      samples: [],
      rejected: keysRejected('wrongType', 'data.0'),
    });
  });

  it('may be empty', () => {
    expect(decoded('{"":1,"a":{"":2}}', 'x')).toEqual({
      samples: [
        { path: 'x/', value: 1, at: RECEIVED_AT },
        { path: 'x/a.', value: 2, at: RECEIVED_AT },
      ],
      rejected: [],
    });
  });
});
