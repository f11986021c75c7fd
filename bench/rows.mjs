// The rows of the one table that `npm run bench` prints. A part that runs alone prints its own.
import { appendFileSync, readFileSync } from 'node:fs';

const file = process.env.FIELDWATCH_BENCH_ROWS;
const rows = [];

/** A measured value, with how it stands to its goal or to what it is compared with. */
export function note(what, value, ratio = '') {
  console.log(`${what}: ${value}${ratio ? ` (${ratio})` : ''}`);
  rows.push({ what, value, ratio });
  if (file) appendFileSync(file, `${JSON.stringify({ what, value, ratio })}\n`);
}

export function printTable(all = rows) {
  console.log('\n| | | |\n|---|---|---|');
  for (const { what, value, ratio } of all) console.log(`| ${what} | ${value} | ${ratio} |`);
}

export function isAlone() {
  return file === undefined;
}

export function rowsIn(path) {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
