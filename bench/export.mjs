// An export of any size in constant memory: builds a history, exports it by HTTP over a real socket
// to another process that only counts, and prints how fast, and how much memory this one took.
// `npm run build` first, then `node bench/export.mjs [millions of readings] [csv or parquet]`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { createReadings } from '../server/dist/readings/index.js';
import { systemClock } from '../server/dist/runtime/index.js';
import { log, makeVariables, START, storeHistory, withStorage } from './sealed-history.mjs';

const MILLIONS = Number(process.argv[2] ?? 100);
const FORMAT = process.argv[3] ?? 'csv';
const VARIABLES = 20;
const STEPS = Math.ceil((MILLIONS * 1_000_000) / VARIABLES);
const SAMPLE_MS = 50;

/** Reads all of it and prints how many bytes and lines there were. */
const SINK = `
  let [bytes, lines] = [0, 0];
  require('node:http').get(process.argv[1], (answer) => {
    answer.on('data', (data) => {
      bytes += data.length;
      for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, at + 1)) lines += 1;
    });
    answer.on('end', () => console.log(JSON.stringify({ bytes, lines })));
  });`;

const megabytes = () => Math.round(process.memoryUsage().rss / 1e6);

async function exported(url) {
  const sink = spawn(process.execPath, ['-e', SINK, url], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  sink.stdout.on('data', (data) => {
    text += data;
  });
  await once(sink, 'close');
  return JSON.parse(text);
}

await withStorage(async (storage) => {
  const variables = await makeVariables(storage, VARIABLES);
  for (const [index, variable] of variables.entries()) {
    await storeHistory(storage, variable, index, STEPS);
  }
  await storage.query('vacuum analyze chunks');
  globalThis.gc?.();
  const readings = createReadings({ storage, clock: systemClock, log });
  const plan = { format: FORMAT, variableIds: variables.map(({ id }) => id), take: Infinity };
  const range = { from: START, to: START + 1e12 };
  const server = createServer((_, answer) => {
    const pieces = Readable.from(readings.export(plan, variables, range));
    pipeline(pieces, answer).catch((error) => console.error(error));
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const start = megabytes();
  const seen = [];
  const timer = setInterval(() => seen.push(megabytes()), SAMPLE_MS);
  const began = performance.now();
  const { bytes, lines } = await exported(`http://127.0.0.1:${server.address().port}/`);
  const seconds = (performance.now() - began) / 1000;
  clearInterval(timer);
  const third = Math.ceil(seen.length / 3);
  console.table({
    readings: VARIABLES * STEPS,
    'lines received': lines,
    'MB received': Math.round(bytes / 1e6),
    seconds: seconds.toFixed(1),
    'MB/s': (bytes / 1e6 / seconds).toFixed(1),
    'readings/s': Math.round((VARIABLES * STEPS) / seconds),
    'rss MB at the start': start,
    'rss MB, most in the first third': Math.max(...seen.slice(0, third)),
    'rss MB, most in the last third': Math.max(...seen.slice(-third)),
    'rss MB, most': Math.max(...seen),
  });
  server.close();
  await readings.stop();
});
