import { afterAll, describe, expect, it } from 'vitest';
import { Sandbox } from './index.ts';

const sandbox = new Sandbox();

afterAll(() => sandbox.stop());

const INPUT = {
  bytes: [0x00, 0xe1, 0x02],
  fPort: 2,
  recvTime: '2026-11-15T08:30:00.000Z',
  variables: {},
};

let codecs = 0;

/** A call of a codec of its own, in an organization of its own unless one is named. */
const run = (body: string, organizationId?: string) => {
  const key = `codec ${codecs++}`;
  const owner = { organizationId: organizationId ?? key, key };
  return sandbox.decode(owner, `function decodeUplink(input) { ${body} }`, INPUT);
};
const OWNER = { organizationId: 'own', key: 'codec' };

const HONEST =
  'return { data: { t: (input.bytes[0] << 8 | input.bytes[1]) / 10, at: input.recvTime } };';
const DECODED = { t: 22.5, at: '2026-11-15T08:30:00.000Z' };

describe('an honest codec', () => {
  it('gets bytes, port and time, and returns values, warnings and lines of its console', async () => {
    const result = await run(`console.log('port', input.fPort, { a: 1 });
      return { data: { t: input.bytes[1] / 10, year: input.recvTime.getUTCFullYear() },
        warnings: ['low battery'] };`);
    expect(result).toMatchObject({
      data: { t: 22.5, year: 2026 },
      errors: [],
      warnings: ['low battery'],
      console: ['port 2 {"a":1}'],
    });
  });

  it('may be an arrow function, and has a Buffer', async () => {
    const script = `const decodeUplink = ({ bytes }) => {
      const buffer = Buffer.from(bytes);
      return { data: { be: buffer.readInt16BE(0), le: buffer.readUInt16LE(1), hex: buffer.toString('hex'),
        base64: buffer.toString('base64'), back: Buffer.from('AOEC', 'base64').toString('hex'),
        float: Buffer.from('41b40000', 'hex').readFloatBE(0) } };
    };`;
    const { data } = await sandbox.decode(OWNER, script, INPUT);
    expect(data).toEqual({
      ...{ be: 225, le: 737, hex: '00e102', base64: 'AOEC', back: '00e102', float: 22.5 },
    });
  });

  it('returns samples of other times', async () => {
    const { samples } = await run(
      `return { data: {}, samples: [{ time: '2026-11-15T08:00:00Z', data: { t: 1 } }, { time: 0, data: { t: 2 } }] };`,
    );
    expect(samples).toEqual([
      { time: '2026-11-15T08:00:00.000Z', data: { t: 1 } },
      { time: '1970-01-01T00:00:00.000Z', data: { t: 2 } },
    ]);
  });

  it('that reports errors has no data', async () => {
    expect(await run(`return { data: { t: 1 }, errors: ['unknown port'] };`)).toMatchObject({
      data: null,
      errors: ['unknown port'],
    });
  });
});

describe('a codec that is wrong', () => {
  it.each([
    ['throws', `null.x`, /\(TypeError, line 1\)$/],
    ['throws no error', `throw 'broken'`, /^broken$/],
    ['returns nothing', ``, /returned nothing/],
    ['returns a number', `return 1`, /must return an object/],
    ['returns data that is no object', `return { data: [1] }`, /data must be an object/],
    ['returns samples without a time', `return { samples: [{ data: {} }] }`, /samples\[0\]\.time/],
    [
      'returns 101 samples',
      `return { samples: new Array(101).fill({ time: 0, data: {} }) }`,
      /100/,
    ],
  ])('that %s says so', async (_, body, message) => {
    const { data, errors } = await run(body);
    expect(data).toBeNull();
    expect(errors.join()).toMatch(message);
  });

  it('is found before it is saved', async () => {
    expect(await sandbox.check(OWNER, 'function decodeUplink( {')).toMatch(
      /\(SyntaxError, line 1\)$/,
    );
    expect(await sandbox.check(OWNER, 'function decode() {}')).toBe(
      'The script has no function decodeUplink.',
    );
    expect(await sandbox.check(OWNER, 'function decodeUplink() {}')).toBeNull();
  });
});

const HOSTILE: readonly (readonly [string, string])[] = [
  ['loops', 'for (;;) {}'],
  ['catches its interruption', 'for (;;) { try { for (;;) {} } catch (_) {} }'],
  ['recurses', '(function f() { f(); })();'],
  ['allocates arrays', 'const all = []; for (;;) all.push(new Array(1000).fill(all.length));'],
  ['doubles a string', 'let s = "x"; for (;;) s += s;'],
  ['allocates a buffer of 1 GB', 'new Uint8Array(1e9); for (;;) {}'],
  ['returns 10 MB', 'return { data: { s: "x".repeat(1e7) } };'],
  ['returns 70 kB', 'return { data: { s: "x".repeat(7e4) } };'],
  ['parses deep JSON', 'JSON.parse("[".repeat(1e5)); return {};'],
  ['returns deep JSON', 'let d = {}; for (let i = 0; i < 500; i++) d = { d }; return { data: d };'],
  ['backtracks', 'return { data: { r: /(a+)+(b+)+$/.test("a".repeat(60) + "c") } };'],
  ['sorts for long', 'const a = Array.from({ length: 2e5 }, (_, i) => -i); for (;;) a.sort();'],
  ['returns the key __proto__', 'return { data: JSON.parse(\'{"__proto__":{"admin":true}}\') };'],
  ['replaces what reads its console', 'Array.prototype.toJSON = () => { for (;;) {} }; throw 1;'],
  [
    'reaches for the constructor of functions',
    'return { data: { pid: (() => 0).constructor("return process.pid")() } };',
  ],
  ['backtracks for longer than a call may take', 'for (;;) /(a*)*b/.test("a".repeat(40));'],
  ['throws what loops', 'throw { toJSON() { for (;;) {} }, get message() { for (;;) {} } };'],
];

describe('a hostile codec', () => {
  it.each(HOSTILE)('that %s costs its own call alone', async (_, body) => {
    const [hostile, honest] = await Promise.all([run(body), run(HONEST)]);
    expect(hostile.data).toBeNull();
    expect(hostile.errors).toHaveLength(1);
    expect(honest).toMatchObject({ data: DECODED, errors: [] });
    expect(await run(HONEST)).toMatchObject({ data: DECODED });
  });

  it('leaves nothing to the next call, of its own or of others', async () => {
    const spoil = `globalThis.left = 1; Array.prototype.map = null; JSON.parse = null;
      Object.prototype.polluted = 1; Object.freeze(globalThis); return { data: { t: 1 } };`;
    const call = (body: string) =>
      sandbox.decode(OWNER, `function decodeUplink(input) { ${body} }`, INPUT);
    expect((await call(spoil)).data).toEqual({ t: 1 });
    const look = 'return { data: { left: typeof left, polluted: typeof ({}).polluted } };';
    expect((await call(look)).data).toEqual({ left: 'undefined', polluted: 'undefined' });
    expect(({} as { polluted?: unknown }).polluted).toBeUndefined();
  });

  it('sees neither the process nor the network', async () => {
    const names = ['process', 'require', 'fetch', 'setTimeout', 'WebAssembly', 'std', 'os'];
    const body = `return { data: { found: ${JSON.stringify(names)}.filter((n) => n in globalThis) } };`;
    expect((await run(body)).data).toEqual({ found: [] });
  });

  it.each([
    ['loops', 'for (;;) {}'],
    ['backtracks', 'return { data: { r: /(a+)+(b+)+$/.test("a".repeat(60) + "c") } };'],
  ])(
    'that %s, one of many of its organization, does not keep those of another waiting',
    async (_, body) => {
      // Both threads have started.
      await Promise.all([run(HONEST), run(HONEST)]);
      const done: string[] = [];
      const flood = Array.from({ length: 8 }, async () => {
        const { errors } = await run(body, 'hostile');
        done.push('hostile');
        return errors;
      });
      for (const _call of [1, 2, 3]) {
        expect(await run(HONEST)).toMatchObject({ data: DECODED });
        done.push('honest');
      }
      expect((await Promise.all(flood)).every((errors) => errors.length === 1)).toBe(true);
      expect(done.lastIndexOf('honest')).toBeLessThan(done.lastIndexOf('hostile'));
      expect(done.slice(0, 5).filter((each) => each === 'honest')).toHaveLength(3);
    },
  );
});
