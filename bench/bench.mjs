// Runs the parts of the benchmark one after the other and prints one table.
// `npm run bench` runs all, `npm run bench -- ingest queries` some, `npm run bench -- ingest:b` one
// case. With `--save` the figures of each part are kept in bench/results. Other flags and what
// follows them go to the parts: `npm run bench -- peers --days 30`.
import { spawn } from 'node:child_process';
import { existsSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { bundle } from '../scripts/prepare.mjs';
import { machine, saveResult } from './results.mjs';
import { printTable, rowsIn } from './rows.mjs';

const PARTS = [
  'ingest',
  'alarm-load',
  'storage',
  'simulated-size',
  'queries',
  'peers',
  'resources',
];

const scriptOf = (part) => fileURLToPath(new URL(`./${part}.mjs`, import.meta.url));
const isThere = (part) => existsSync(scriptOf(part));

function run(part, cases, rowsFile) {
  console.log(`\n=== ${part}\n`);
  const child = spawn(process.execPath, [scriptOf(part), ...cases], {
    env: { ...process.env, FIELDWATCH_BENCH_ROWS: rowsFile },
    stdio: 'inherit',
  });
  return new Promise((resolve) => child.once('exit', resolve));
}

const args = process.argv.slice(2);
const isSaved = args.includes('--save');
const own = args.filter((arg) => arg !== '--save');
const firstFlag = own.findIndex((arg) => arg.startsWith('--'));
const named = firstFlag < 0 ? own : own.slice(0, firstFlag);
const flags = own.slice(named.length);
const wanted = named.map((each) => {
  const [part, ...cases] = each.split(':');
  return { part, cases };
});
const unknown = wanted.filter(({ part }) => !isThere(part));
if (unknown.length > 0) {
  console.error(`There is no part ${unknown.map(({ part }) => part).join(', ')}.`);
  process.exit(1);
}
// Parts that start the server start what `npm start` starts.
if (!(await bundle())) process.exit(1);
const parts =
  wanted.length > 0 ? wanted : PARTS.filter(isThere).map((part) => ({ part, cases: [] }));
const directory = mkdtempSync(join(tmpdir(), 'fieldwatch-bench-rows-'));
const figures = [];
let failures = 0;
try {
  for (const { part, cases } of parts) {
    const rowsFile = join(directory, part);
    writeFileSync(rowsFile, '');
    const code = await run(part, [...cases, ...flags], rowsFile);
    const measured = rowsIn(rowsFile);
    figures.push(...measured);
    if (code !== 0) {
      failures += 1;
      console.error(`${part} ended with ${code}`);
    } else if (isSaved) {
      const path = saveResult(part, { cases, flags }, measured);
      console.log(`Saved ${path}; npm run generate lists it.`);
    }
  }
  printTable(figures);
} finally {
  rmSync(directory, { recursive: true });
}
console.log(`\n${machine()}, Node ${process.version}.`);
process.exitCode = failures === 0 ? 0 : 1;
