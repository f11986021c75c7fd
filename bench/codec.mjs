// The codec of history alone: bytes a reading, and nanoseconds of processor time to encode and
// decode one. Run `npm run build` before, then `node bench/codec.mjs`.
import {
  decode,
  decodeRange,
  encodeBooleans,
  encodeNumbers,
  encodeStrings,
} from '../server/dist/readings/codec/index.js';

const READINGS = 1_000;
const CHUNKS = 60;
const ROUNDS = 15;
const START = 1_763_195_400_123;

function createChance() {
  let state = 0;
  const random = () => {
    state = (state + 0x6d2b_79f5) | 0;
    let mixed = Math.imul(state ^ (state >>> 15), 1 | state);
    mixed = (mixed + Math.imul(mixed ^ (mixed >>> 7), 61 | mixed)) ^ mixed;
    return ((mixed ^ (mixed >>> 14)) >>> 0) / 2 ** 32;
  };
  const noise = () => Math.sqrt(-2 * Math.log(1 - random())) * Math.cos(2 * Math.PI * random());
  return { random, noise };
}

function series(next) {
  const chance = createChance();
  const values = [];
  for (let index = 0; index < READINGS * CHUNKS; index += 1) {
    values.push(next({ index, ...chance }, values.at(-1)));
  }
  return values;
}

const rounded = (value, decimals) => Number(value.toFixed(decimals));
const daily = (index) => Math.sin(index / 1_375);

const CLOCKS = {
  regular: ({ index }) => START + index * 10_000,
  jittered: ({ index, random }) => START + index * 10_000 + Math.round((random() - 0.5) * 100),
  delayed: ({ random }, last = START) => last + 10_000 + Math.round(-20 * Math.log(1 - random())),
  dropouts: ({ random }, last = START) =>
    last + 10_000 * (random() < 0.01 ? Math.ceil(random() * 90) : 1) + Math.round(random() * 20),
};

const NUMBERS = {
  setting: () => 21.5,
  temperature: ({ index, noise }) => rounded(40 + 15 * daily(index) + noise() / 10, 1),
  voltage: ({ noise }) => rounded(230 + noise() * 0.8, 1),
  'voltage times 0.1': ({ noise }) => Math.round(2_300 + noise() * 8) * 0.1,
  'voltage of 32 bits': ({ noise }) => Math.fround(rounded(230 + noise() * 0.8, 1)),
  load: ({ index, noise }) => rounded(400 + 200 * daily(index) + noise() * 2, 2),
  'energy counter': ({ noise }, last = 12_345.67) => rounded(last + 0.8 + noise() / 50, 2),
  'speed, mostly zero': ({ index, noise }) =>
    Math.floor(index / 170) % 3 === 2 ? Math.round(1_800 + noise() * 4) : 0,
  'noise of 32 bits': ({ noise }) => Math.fround(230 + noise() * 0.8),
  'noise of all digits': ({ noise }) => 230 + noise() * 0.8,
};

const STATES = ['STOPPED', 'CRANKING', 'RUNNING', 'COOLING DOWN'];

const CASES = [
  ...[
    ['regular', 'setting'],
    ['regular', 'temperature'],
    ['jittered', 'temperature'],
    ['jittered', 'voltage'],
    ['jittered', 'voltage times 0.1'],
    ['jittered', 'voltage of 32 bits'],
    ['jittered', 'load'],
    ['delayed', 'energy counter'],
    ['dropouts', 'speed, mostly zero'],
    ['jittered', 'noise of 32 bits'],
    ['jittered', 'noise of all digits'],
  ].map(([clock, name]) => ({
    clock,
    name,
    values: Float64Array.from(series(NUMBERS[name])),
    encode: encodeNumbers,
    room: { kind: 'NUMBER', values: new Float64Array(READINGS) },
  })),
  {
    clock: 'jittered',
    name: 'flag',
    values: series(({ index }) => index % 700 > 600),
    encode: encodeBooleans,
    room: { kind: 'BOOLEAN', values: new Uint8Array(READINGS) },
  },
  {
    clock: 'jittered',
    name: 'state',
    values: series(({ index }) => STATES[Math.floor(index / 150) % 4]),
    encode: encodeStrings,
    room: { kind: 'STRING', values: [] },
  },
];

/** Processor time, since others may use the machine; the best round, since they disturb. */
function nanosecondsOf(work) {
  let best = Infinity;
  for (let round = 0; round < ROUNDS; round += 1) {
    const before = process.cpuUsage();
    for (let times = 0; times < 3; times += 1) work();
    const { user, system } = process.cpuUsage(before);
    best = Math.min(best, ((user + system) * 1_000) / (3 * READINGS * CHUNKS));
  }
  return best;
}

function measure({ clock, name, values, encode, room }) {
  const times = Float64Array.from(series(CLOCKS[clock]));
  const parts = Array.from({ length: CHUNKS }, (_, index) => {
    const [start, end] = [index * READINGS, (index + 1) * READINGS];
    return { times: times.slice(start, end), values: values.slice(start, end) };
  });
  const into = { ...room, times: new Float64Array(READINGS) };
  const encodeAll = () => parts.map((part) => encode(part.times, part.values, READINGS));
  const chunks = encodeAll();
  return {
    values: `${name}, ${clock}`,
    bytes: chunks.reduce((sum, chunk) => sum + chunk.length, 0) / times.length,
    encode: nanosecondsOf(encodeAll),
    decode: nanosecondsOf(() => chunks.forEach(decode)),
    into: nanosecondsOf(() => {
      for (const chunk of chunks) decodeRange(chunk, -Infinity, Infinity, into, 0);
    }),
  };
}

const column = (value) => (typeof value === 'number' ? value.toFixed(2) : value).padStart(14);
console.log(
  `${'values, times'.padEnd(32)}${['bytes', 'encode ns', 'decode ns', 'into room ns'].map(column).join('')}`,
);
CASES.forEach(measure);
for (const shape of CASES) {
  const { values, ...figures } = measure(shape);
  console.log(values.padEnd(32) + Object.values(figures).map(column).join(''));
}
