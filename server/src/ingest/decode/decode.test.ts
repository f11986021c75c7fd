import { describe, expect, it } from 'vitest';
import { decodeDocument, decodePayload } from './decode.ts';

const RECEIVED_AT = Date.UTC(2026, 10, 15, 8, 30);
const EARLIER = RECEIVED_AT - 5000;
const EARLIEST = EARLIER - 5000;

/** Reads the document in both ways, which must agree, and answers what they say. */
function decoded(document: unknown, suffix = '') {
  const fromDocument = decodeDocument(document, suffix, RECEIVED_AT);
  const text = JSON.stringify(document);
  for (const payload of [text, Buffer.from(text), new TextEncoder().encode(text)]) {
    expect(decodePayload(payload, suffix, RECEIVED_AT)).toEqual(fromDocument);
  }
  return fromDocument;
}

/** The answer when nothing is rejected. */
function samples(...list: readonly [string, string | number | boolean, number?][]) {
  return {
    samples: list.map(([path, value, at = RECEIVED_AT]) => ({ path, value, at })),
    rejected: [],
  };
}

function rejected(...list: readonly [string, string][]) {
  return { samples: [], rejected: list.map(([key, reason]) => ({ key, reason })) };
}

describe('a plain object of values', () => {
  it('is decoded at arrival time', () => {
    expect(decoded({ rpm: 1800.5, isRunning: true, mode: 'AUTO' })).toEqual(
      samples(['rpm', 1800.5], ['isRunning', true], ['mode', 'AUTO']),
    );
  });

  it('joins nested objects by dots and arrays by index', () => {
    expect(decoded({ engine: { oil: { bar: 4 } }, phases: [{ volts: 230 }, [1, false]] })).toEqual(
      samples(
        ['engine.oil.bar', 4],
        ['phases.0.volts', 230],
        ['phases.1.0', 1],
        ['phases.1.1', false],
      ),
    );
  });

  it('treats timestamp like any other value', () => {
    expect(decoded({ timestamp: EARLIER, rpm: 1 })).toEqual(
      samples(['timestamp', EARLIER], ['rpm', 1]),
    );
  });

  it('may name a value data or dataArray', () => {
    expect(decoded({ data: 5, timestamp: EARLIER })).toEqual(
      samples(['data', 5], ['timestamp', EARLIER]),
    );
    expect(decoded({ dataArray: { rpm: 5 }, timestamp: EARLIER })).toEqual(
      samples(['dataArray.rpm', 5], ['timestamp', EARLIER]),
    );
  });

  it('may be empty', () => {
    expect(decoded({})).toEqual(samples());
  });

  it('keeps both when a dotted key and a nested one make the same path', () => {
    expect(decoded({ 'engine.rpm': 1, engine: { rpm: 2 } })).toEqual(
      samples(['engine.rpm', 1], ['engine.rpm', 2]),
    );
  });
});

describe('an object with data', () => {
  it('is decoded at its timestamp, or else at arrival', () => {
    expect(decoded({ timestamp: EARLIER, data: { rpm: 1, oil: { bar: 4 } } })).toEqual(
      samples(['rpm', 1, EARLIER], ['oil.bar', 4, EARLIER]),
    );
    expect(decoded({ data: { rpm: 1 } })).toEqual(samples(['rpm', 1]));
    expect(decoded({ data: { timestamp: EARLIER } })).toEqual(samples(['timestamp', EARLIER]));
  });

  it('finds the timestamp at any position', () => {
    expect(decoded({ data: { rpm: 1 }, timestamp: EARLIER })).toEqual(samples(['rpm', 1, EARLIER]));
  });

  it('decodes fields beside it as readings of the same time', () => {
    expect(decoded({ seq: 7, timestamp: EARLIER, data: { rpm: 1 }, site: { id: 'A' } })).toEqual(
      samples(['seq', 7, EARLIER], ['rpm', 1, EARLIER], ['site.id', 'A', EARLIER]),
    );
  });

  it('may be empty', () => {
    expect(decoded({ data: {} })).toEqual(samples());
    expect(decoded({ timestamp: EARLIER, data: [] })).toEqual(samples());
  });
});

describe.each(['data', 'dataArray'])('a list of entries in %s', (name) => {
  it('gives each entry its own time, the outer time, or the arrival time', () => {
    const entries = [
      { key: 'rpm', value: 1 },
      { key: 'bar', value: 'low', timestamp: EARLIEST },
    ];
    expect(decoded({ [name]: entries })).toEqual(samples(['rpm', 1], ['bar', 'low', EARLIEST]));
    expect(decoded({ timestamp: EARLIER, [name]: entries })).toEqual(
      samples(['rpm', 1, EARLIER], ['bar', 'low', EARLIEST]),
    );
  });

  it('keeps the same key twice, in order', () => {
    const entries = [2, 1, 3].map((value) => ({ key: 'rpm', value, timestamp: EARLIER }));
    expect(decoded({ [name]: entries })).toEqual(
      samples(['rpm', 2, EARLIER], ['rpm', 1, EARLIER], ['rpm', 3, EARLIER]),
    );
  });

  it('appends nested keys to the key of the entry', () => {
    expect(decoded({ [name]: [{ key: 'phases', value: [{ volts: 230 }, 5] }] })).toEqual(
      samples(['phases.0.volts', 230], ['phases.1', 5]),
    );
  });

  it('decodes further fields of an entry as readings below its key', () => {
    const entries = [{ unit: 'V', key: 'volts', value: 230, timestamp: EARLIER }];
    expect(decoded({ [name]: entries }, 'feed')).toEqual(
      samples(['feed/volts', 230, EARLIER], ['feed/volts.unit', 'V', EARLIER]),
    );
  });

  it('rejects an entry without a key by its index, and one without a value by its key', () => {
    const entries = [{ value: 1 }, { key: 5, value: 1 }, 7, null, ['rpm', 1], { key: 'rpm' }];
    expect(decoded({ [name]: entries }, 'feed')).toEqual(
      rejected(
        ...[0, 1, 2, 3, 4].map(
          (index) => [`feed/${name}.${index}`, 'wrongType'] as [string, string],
        ),
        ['feed/rpm', 'wrongType'],
      ),
    );
  });

  it('may be empty', () => {
    expect(decoded({ [name]: [] })).toEqual(samples());
  });
});

describe('data and dataArray in one object', () => {
  it('are both decoded, in their order', () => {
    const dataArray = [{ key: 'rpm', value: 2 }];
    expect(decoded({ data: { rpm: 1 }, dataArray, timestamp: EARLIER })).toEqual(
      samples(['rpm', 1, EARLIER], ['rpm', 2, EARLIER]),
    );
    expect(decoded({ dataArray, data: [{ key: 'rpm', value: 1 }] })).toEqual(
      samples(['rpm', 2], ['rpm', 1]),
    );
  });

  it('leave the one of another type an ordinary value', () => {
    expect(decoded({ data: 5, dataArray: [{ key: 'rpm', value: 2 }] })).toEqual(
      samples(['data', 5], ['rpm', 2]),
    );
    expect(decoded({ data: { rpm: 1 }, dataArray: { a: 2 } })).toEqual(
      samples(['rpm', 1], ['dataArray.a', 2]),
    );
  });
});

describe('a topic suffix', () => {
  it.each([
    ['a plain object', { rpm: 1, oil: { bar: 4 } }],
    ['data', { data: { rpm: 1, oil: { bar: 4 } } }],
    [
      'entries',
      {
        dataArray: [
          { key: 'rpm', value: 1 },
          { key: 'oil', value: { bar: 4 } },
        ],
      },
    ],
  ])('is the prefix of every path in %s', (_form, document) => {
    expect(decoded(document, 'engine/main')).toEqual(
      samples(['engine/main/rpm', 1], ['engine/main/oil.bar', 4]),
    );
  });

  it('is the whole path of a bare value', () => {
    expect(decoded(1800, 'engine/rpm')).toEqual(samples(['engine/rpm', 1800]));
    expect(decoded(false, 'engine/on')).toEqual(samples(['engine/on', false]));
    expect(decoded('', 'engine/mode')).toEqual(samples(['engine/mode', '']));
    expect(decoded(null, 'engine/rpm')).toEqual(rejected(['engine/rpm', 'wrongType']));
  });
});

describe('an invalid payload', () => {
  it('is a list', () => {
    const problem = 'The payload must be an object of readings.';
    expect(decoded([])).toEqual({ problem });
    expect(decoded([{ key: 'rpm', value: 1 }], 'engine')).toEqual({ problem });
  });

  it('is a bare value that no topic names', () => {
    const problem = 'A payload that is a single value needs a topic below that of the Device.';
    for (const value of [1, true, 'text', null]) expect(decoded(value)).toEqual({ problem });
  });

  it('is not a document', () => {
    expect(decodeDocument(undefined, 'engine', RECEIVED_AT)).toHaveProperty('problem');
  });

  it.each(['', ' ', '{', '{"a":1}{', '{"a":NaN}', "{'a':1}", '{"a":"\n"}', '\0', 'nul'])(
    'is %j, which is not JSON',
    (text) => {
      const problem = 'The payload is not valid JSON.';
      expect(decodePayload(text, 'rpm', RECEIVED_AT)).toEqual({ problem });
      expect(decodePayload(Buffer.from(text), 'rpm', RECEIVED_AT)).toEqual({ problem });
    },
  );

  it.each(['ff', 'c328', 'eda080', 'c080', 'f5808080'])(
    'contains the bytes %s, which are not UTF-8',
    (bytes) => {
      const parts = [Buffer.from('{"a":"'), Buffer.from(bytes, 'hex'), Buffer.from('"}')];
      expect(decodePayload(Buffer.concat(parts), '', RECEIVED_AT)).toEqual({
        problem: 'The payload is not UTF-8.',
      });
    },
  );
});

describe('the bytes of a payload', () => {
  it('may contain any well-formed text', () => {
    expect(decoded({ état: '30 °C', '🔋': '🔋🔋' })).toEqual(
      samples(['état', '30 °C'], ['🔋', '🔋🔋']),
    );
  });

  it('may begin with a byte order mark', () => {
    const payload = Buffer.from('\ufeff{"rpm":1}');
    expect(decodePayload(payload, '', RECEIVED_AT)).toEqual(samples(['rpm', 1]));
  });

  it('may be part of a larger buffer', () => {
    const whole = new TextEncoder().encode('xx{"rpm":1}yy');
    expect(decodePayload(whole.subarray(2, -2), '', RECEIVED_AT)).toEqual(samples(['rpm', 1]));
  });
});
