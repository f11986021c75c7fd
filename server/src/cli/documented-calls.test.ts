import { readdirSync } from 'node:fs';
import { describe, expect, it } from 'vitest';
import { callsIn, ROOT, words } from '../../test/support/documented-commands.ts';
import { parseArguments } from './command/index.ts';
import { COMMANDS } from './commands.ts';

const PAGES = [
  'README.md',
  ...readdirSync(new URL('docs/', ROOT))
    .filter((name) => name.endsWith('.md'))
    .map((name) => `docs/${name}`),
];

const calls = PAGES.flatMap((page) => callsIn(page).map((call) => [page, call] as const));

describe('a call of fieldwatch in the documents', () => {
  it('is in several pages', () => {
    expect(new Set(calls.map(([page]) => page)).size).toBeGreaterThan(2);
    expect(calls.length).toBeGreaterThan(30);
  });

  it.each(calls)('of %s has the form that the program takes: fieldwatch %s', (_, call) => {
    const invocation = parseArguments(COMMANDS, words(call));
    expect(invocation.kind === 'WRONG' ? invocation.problem : '').toBe('');
  });
});
