import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { decisionIndex, decisionOf, readDecisions } from '../../../scripts/decision-index.mjs';
import { ROOT } from './tree.ts';

const folder = join(ROOT, 'docs/adr');
const decisions = readDecisions(folder);

describe('the decision records', () => {
  it('are numbered from 1 without a gap, in their file names and titles', () => {
    expect(decisions.length).toBeGreaterThan(20);
    expect(decisions.map(({ number }) => number)).toEqual(decisions.map((_, index) => index + 1));
    expect(decisions.map(({ file }) => Number(file.slice(0, 4)))).toEqual(
      decisions.map(({ number }) => number),
    );
  });

  it.each(decisions)('$file has context, decision and consequences, in this order', (decision) => {
    expect(decision.headings).toEqual(['Context', 'Decision', 'Consequences']);
  });

  it.each(decisions)('$file names each superseded record, which names it in turn', (decision) => {
    const { number, supersedes, supersededBy } = decision;
    const numbered = (wanted: (other: typeof decision) => readonly number[]) =>
      decisions.filter((other) => wanted(other).includes(number)).map((other) => other.number);
    expect(supersedes).toEqual(numbered((other) => other.supersededBy));
    expect(supersededBy).toEqual(numbered((other) => other.supersedes));
  });

  it('are listed in the index; npm run generate writes it', () => {
    expect(readFileSync(join(folder, 'README.md'), 'utf8')).toBe(decisionIndex(decisions));
  });
});

describe('decisionOf', () => {
  it('reads the records that a status names on either side of a supersession', () => {
    const text =
      '# 7. Start scripts\n\nStatus: Accepted, November 2026. Supersedes in part [2](0002-a.md) and ' +
      '[3](0003-b.md): the parts. Superseded by [9](0009-c.md).\n';
    expect(decisionOf('0007-start-scripts.md', text)).toMatchObject({
      number: 7,
      title: 'Start scripts',
      supersedes: [2, 3],
      supersededBy: [9],
    });
  });

  it('refuses a record without a status line', () => {
    expect(() => decisionOf('0007-a.md', '# 7. A\n\nAccepted.\n')).toThrow('Status: ');
  });
});
