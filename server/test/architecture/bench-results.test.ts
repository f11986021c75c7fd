import { existsSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { type Figure, readResults, resultsPage } from '../../../scripts/bench-results.mjs';
import { ROOT } from './tree.ts';

const folder = join(ROOT, 'bench/results');
const results = readResults(folder);

/** A figure has a name and one value, or a value of each system that it compares. */
function isWhole({ name, value, columns }: Figure): boolean {
  const values = columns ? Object.values(columns) : [value];
  return name !== '' && values.length > 0 && values.every((each) => each !== '');
}

describe('the benchmark results', () => {
  it.each(results)('$file names a benchmark, a command, a machine and figures', (result) => {
    expect(existsSync(join(ROOT, `bench/${result.benchmark}.mjs`))).toBe(true);
    expect(result.file.startsWith(`${result.date}-${result.benchmark}`)).toBe(true);
    expect([result.command, result.machine]).not.toContain('');
    expect(result.figures.length).toBeGreaterThan(0);
    expect(result.figures.every(isWhole)).toBe(true);
  });

  it('are listed on their page; npm run generate writes it', () => {
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(resultsPage(results));
  });
});
