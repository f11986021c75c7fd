// An export of any size in constant memory: builds a history, exports it by HTTP over a real socket
// to another process that only counts, and prints how fast, and how much memory this one took. A
// Parquet file is kept and then read back, every row of it.
// `npm run build` first, then `node bench/export.mjs [millions of readings] [csv or parquet]`.
import { spawn } from 'node:child_process';
import { once } from 'node:events';
import { createServer } from 'node:http';
import { join } from 'node:path';
import { performance } from 'node:perf_hooks';
import { Readable } from 'node:stream';
import { pipeline } from 'node:stream/promises';
import { asyncBufferFromFile, parquetMetadataAsync, parquetRead } from 'hyparquet';
import { note, noteTable } from './rows.mjs';
import { joinAlone } from './sole-node.mjs';
import {
  believable,
  makeVariables,
  START,
  storeHistory,
  timeOf,
  withStorage,
} from './stored-history.mjs';

const MILLIONS = Number(process.argv[2] ?? 100);
const FORMAT = process.argv[3] ?? 'csv';
const VARIABLES = 20;
const STEPS = Math.ceil((MILLIONS * 1_000_000) / VARIABLES);
const SAMPLE_MS = 50;

/** Reads the whole response, stores it if requested, and prints the number of bytes and lines. */
const SINK = `
  let [bytes, lines] = [0, 0];
  const [, address, file] = process.argv;
  require('node:http').get(address, (answer) => {
    if (file) answer.pipe(require('node:fs').createWriteStream(file));
    answer.on('data', (data) => {
      bytes += data.length;
      for (let at = data.indexOf(10); at >= 0; at = data.indexOf(10, at + 1)) lines += 1;
    });
    answer.on('end', () => console.log(JSON.stringify({ bytes, lines })));
  });`;

const megabytes = () => Math.round(process.memoryUsage().rss / 1e6);

async function exported(url, file) {
  const sink = spawn(process.execPath, ['-e', SINK, url, ...(file ? [file] : [])], {
    stdio: ['ignore', 'pipe', 'inherit'],
  });
  let text = '';
  sink.stdout.on('data', (data) => {
    text += data;
  });
  await once(sink, 'close');
  return JSON.parse(text);
}

/** Reads a file back, one row group after the other, and checks each reading. */
async function readBack(file, variableIds) {
  const buffer = await asyncBufferFromFile(file);
  const metadata = await parquetMetadataAsync(buffer);
  const places = new Map(variableIds.map((id, place) => [id, place]));
  const steps = variableIds.map(() => 0);
  let rowStart = 0;
  for (const { num_rows: rows } of metadata.row_groups) {
    const rowEnd = rowStart + Number(rows);
    const columns = { variableId: [], timestamp: [], numberValue: [] };
    await parquetRead({
      ...{ file: buffer, metadata, rowStart, rowEnd, columns: Object.keys(columns) },
      onChunk: ({ columnName, columnData }) => columns[columnName].push(columnData),
    });
    const [ids, times, values] = Object.values(columns).map((parts) =>
      parts.flatMap((part) => [...part]),
    );
    for (const [row, id] of ids.entries()) {
      const place = places.get(id);
      const step = steps[place];
      if (times[row].getTime() !== timeOf(step) || values[row] !== believable(place, step)) {
        throw new Error(`reading ${step} of ${id} is not what was stored`);
      }
      steps[place] = step + 1;
    }
    rowStart = rowEnd;
  }
  return steps.reduce((sum, each) => sum + each, 0);
}

await withStorage(async (storage, dataDir) => {
  const variables = await makeVariables(storage, VARIABLES);
  for (const [index, variable] of variables.entries()) {
    await storeHistory(storage, variable, index, STEPS);
  }
  await storage.query('vacuum analyze chunks');
  globalThis.gc?.();
  const { open, leave } = await joinAlone(storage);
  const readings = open();
  const plan = { format: FORMAT, variableIds: variables.map(({ id }) => id), take: Infinity };
  const range = { from: START, to: START + 1e12 };
  const server = createServer(async (_, answer) => {
    try {
      const chunks = await readings.export(plan, variables, range, 'bench');
      await pipeline(Readable.from(chunks), answer);
    } catch (error) {
      console.error(error);
      answer.destroy();
    }
  });
  server.listen(0, '127.0.0.1');
  await once(server, 'listening');
  const start = megabytes();
  const seen = [];
  const timer = setInterval(() => seen.push(megabytes()), SAMPLE_MS);
  const began = performance.now();
  const file = FORMAT === 'parquet' ? join(dataDir, 'export.parquet') : undefined;
  const { bytes, lines } = await exported(`http://127.0.0.1:${server.address().port}/`, file);
  const seconds = (performance.now() - began) / 1000;
  clearInterval(timer);
  const third = Math.ceil(seen.length / 3);
  noteTable({
    readings: VARIABLES * STEPS,
    ...(file ? {} : { 'lines received': lines }),
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
  if (file) {
    const reading = performance.now();
    const rows = await readBack(file, plan.variableIds);
    const took = ((performance.now() - reading) / 1000).toFixed(1);
    note('readings read back from the file', `${rows} in ${took} s, all as stored`);
    if (rows !== VARIABLES * STEPS) throw new Error('the file has another number of readings');
  }
  await readings.stop();
  await leave();
});
