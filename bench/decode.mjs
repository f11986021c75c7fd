// The cost of decoding each form of a payload, compared with the cost of parsing its JSON alone.
// Run `npm run build` first, then `node bench/decode.mjs`.
import { decodePayload } from '../server/dist/ingest/decode/decode.js';

const RECEIVED_AT = 1_763_195_400_000;
const ROUNDS = 60;
const ROUND_MS = 10;

const values = {
  'engine.rpm': 1800.5,
  oilPressure: 54.2,
  coolantTemp: 88.1,
  batteryVolts: 26.9,
  fuelLevel: 77.25,
  runHours: 10_234.7,
};
const entries = Object.entries(values).map(([key, value]) => ({ key, value }));
const timed = entries.map((entry) => ({ ...entry, timestamp: RECEIVED_AT - 1000 }));
const history = Array.from({ length: 5000 }, (_, index) => ({
  ...entries[index % entries.length],
  timestamp: RECEIVED_AT - 10_000 * Math.floor((5000 - index) / entries.length),
}));
const thousand = Object.fromEntries(
  Array.from({ length: 1000 }, (_, index) => [`sensor${index}`, index + 0.5]),
);

const cases = [
  ['{ data: 6 numbers }', { data: values }],
  ['{ timestamp, data: 6 numbers }', { timestamp: RECEIVED_AT - 1000, data: values }],
  ['plain object of 6 numbers', values],
  ['the same below a topic suffix', values, 'engine/main'],
  [
    'plain object, 4 numbers, a boolean, a string',
    { ...values, oilPressure: true, fuelLevel: 'low' },
  ],
  [
    'nested: 3 objects of 2 numbers',
    {
      engine: { rpm: 1800.5, oil: 54.2 },
      coolant: { temp: 88.1, level: 3.5 },
      battery: { volts: 26.9, amps: 1.5 },
    },
  ],
  [
    'nested: 3 arrays of 2 numbers',
    { volts: [230.1, 229.8], amps: [10.5, 11.25], hertz: [50.01, 49.98] },
  ],
  ['{ dataArray: 6 entries }', { dataArray: entries }],
  ['{ dataArray: 6 entries with timestamps }', { dataArray: timed }],
  ['{ dataArray: 5000 entries with timestamps }', { dataArray: history }],
  ['{ data: 6 entries }', { data: entries }],
  ['a bare number below a topic suffix', 1800.5, 'engine/rpm'],
  ['{ data: 1000 numbers }', { data: thousand }],
].map(([name, document, suffix = '']) => {
  const text = JSON.stringify(document);
  const bytes = Buffer.from(text);
  const readings = decodePayload(bytes, suffix, RECEIVED_AT).samples.length;
  return {
    name,
    readings,
    parse: () => JSON.parse(text),
    decode: () => decodePayload(bytes, suffix, RECEIVED_AT),
  };
});

let kept;

function nanoseconds(work, repeats) {
  const start = process.hrtime.bigint();
  for (let index = 0; index < repeats; index += 1) kept = work();
  return Number(process.hrtime.bigint() - start) / repeats;
}

/** Enough repetitions for a round. Runs them once, so that the compiler has seen every form. */
function repeatsOf(work) {
  return Math.ceil((ROUND_MS * 1e6) / nanoseconds(work, 2000));
}

const works = cases.flatMap(({ parse, decode }) => [parse, decode]);
const repeats = new Map();
for (let pass = 0; pass < 3; pass += 1) {
  for (const work of works) repeats.set(work, repeatsOf(work));
}
// The best of many short rounds: other work on the machine only ever adds to a round.
const best = new Map(works.map((work) => [work, Number.POSITIVE_INFINITY]));
for (let round = 0; round < ROUNDS; round += 1) {
  for (const work of works) {
    best.set(work, Math.min(best.get(work), nanoseconds(work, repeats.get(work))));
  }
}

const row = (name, ...cells) =>
  console.log(name.padEnd(46) + cells.map((cell) => String(cell).padStart(13)).join(''));

console.log(`Node ${process.version}, ${process.arch}; nanoseconds, best of ${ROUNDS} rounds\n`);
row('payload', 'JSON.parse', 'decode', 'ratio', 'on top', 'a reading');
for (const { name, readings, parse, decode } of cases) {
  const [bare, whole] = [best.get(parse), best.get(decode)];
  row(
    name,
    Math.round(bare),
    Math.round(whole),
    (whole / bare).toFixed(2),
    Math.round(whole - bare),
    Math.round(whole / readings),
  );
}
if (kept === undefined) process.exitCode = 1;
