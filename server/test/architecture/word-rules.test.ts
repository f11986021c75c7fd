import { describe, expect, it } from 'vitest';
import { parseRanks } from './ranks.ts';
import { type Rule, readDocuments } from './tree.ts';
import { proseIsStandard, wordsAreStandard } from './word-rules.ts';

const ranks = parseRanks('```ranks\n0  contract\n```');

function found(rule: Rule, files: Iterable<[string, string]>): string[] {
  return rule({ files: new Map(files), ranks }).map(({ file, line }) => `${file}:${line}`);
}

describe('names', () => {
  it('use no word of a private idiom, in identifiers, constants and file names', () => {
    expect(
      found(
        wordsAreStandard,
        Object.entries({
          'server/src/alarms/keeper.ts': '',
          'server/src/alarms/a.ts': "const lastToldAt = 1;\nconst ok = 'told';\n// told\n",
          'server/src/alarms/b.ts': 'const MOST_TRIES = 1;\nconst ROWS_AT_ONCE = 2;\n',
          'server/src/alarms/c.ts': 'const QUERIES_A_SECOND = 1;\nfunction createJanitor() {}\n',
          'console/src/app/d.tsx': 'const hearing = 1;\nconst Outlet = 2;\n',
          'contract/src/e.ts': 'const tellsStart = 1;\nconst tellsAll = 2;\n',
          'server/src/http/f.ts': 'const SETTLE_MS = 1;\nconst isSettled = 2;\n',
          'server/migrations/0001-telling.sql': '',
        }),
      ),
    ).toEqual([
      'server/src/alarms/keeper.ts:1',
      'server/src/alarms/a.ts:1',
      'server/src/alarms/b.ts:1',
      'server/src/alarms/b.ts:2',
      'server/src/alarms/c.ts:1',
      'server/src/alarms/c.ts:2',
      'contract/src/e.ts:2',
      'server/src/http/f.ts:1',
    ]);
  });

  it('use standard verbs in comments, texts and documents', () => {
    expect(
      found(
        proseIsStandard,
        Object.entries({
          'server/src/alarms/a.ts': '// Told after the commit.\nlog("reads it anew");\n',
          'console/src/app/b.tsx':
            '/** Names that tell\n * Variables apart, and are told apart. */\n',
          'docs/c.md': 'A text.\n\nStatus messages count as heard; they tell the rest.\n',
          'server/migrations/0001-a.sql': '-- Who is told.\n',
        }),
      ),
    ).toEqual([
      'server/src/alarms/a.ts:2',
      'server/src/alarms/a.ts:1',
      'docs/c.md:3',
      'docs/c.md:3',
    ]);
  });

  it('are standard in the documents of the tree', () => {
    const files = readDocuments();
    expect(files.has('docs/interface.md')).toBe(true);
    expect(found(proseIsStandard, files)).toEqual([]);
  });
});
