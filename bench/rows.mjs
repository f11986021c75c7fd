// The figures that a benchmark measured. `npm run bench` collects those of all parts in one table; a
// part that runs alone prints its own.
import { appendFileSync, readFileSync } from 'node:fs';
import { figureTables } from '../scripts/figure-tables.mjs';

const file = process.env.FIELDWATCH_BENCH_ROWS;
const rows = [];

function keep(figure) {
  rows.push(figure);
  if (file) appendFileSync(file, `${JSON.stringify(figure)}\n`);
}

/** A measured value, with how it compares to its goal or to another figure. */
export function note(name, value, comparison = '') {
  console.log(`${name}: ${value}${comparison ? ` (${comparison})` : ''}`);
  keep({ name, value, comparison });
}

/** The same measured of several systems: a value by the name of the system. */
export function noteBeside(group, name, columns, comparison = '') {
  console.log(`${name}: ${columnsOf(columns)}${comparison ? ` (${comparison})` : ''}`);
  keep({ group, name, columns, comparison });
}

/** A table as `console.table` takes it: a figure per entry, the columns of a row joined. */
export function noteTable(table) {
  for (const [name, value] of Object.entries(table)) {
    const isRow = typeof value === 'object';
    note(name, isRow ? columnsOf(value) : String(value));
  }
}

function columnsOf(row) {
  const columns = Object.entries(row).filter(([, value]) => value !== undefined && value !== '');
  return columns.map(([column, value]) => `${column} ${value}`).join(', ');
}

export function printTable(all = rows) {
  console.log(`\n${figureTables(all).join('\n')}`);
}

export function isAlone() {
  return file === undefined;
}

export function rowsIn(path) {
  const lines = readFileSync(path, 'utf8').split('\n');
  return lines.filter((line) => line !== '').map((line) => JSON.parse(line));
}
