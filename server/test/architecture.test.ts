import { describe, expect, it } from 'vitest';
import {
  doorsAreUsed,
  importsMakeNoCycle,
  packagesKeepTheirOrder,
  ranksAreKept,
} from './architecture/import-rules.ts';
import { parseRanks } from './architecture/ranks.ts';
import {
  environmentIsReadOnce,
  filesAreShort,
  namesSaySomething,
  sqlStaysInStores,
  tableMatchesFolders,
  timeComesFromTheClock,
} from './architecture/text-rules.ts';
import { type Rule, readTree, type Violation } from './architecture/tree.ts';
import { proseIsStandard, wordsAreStandard } from './architecture/word-rules.ts';

const RULES: readonly Rule[] = [
  packagesKeepTheirOrder,
  ranksAreKept,
  doorsAreUsed,
  importsMakeNoCycle,
  filesAreShort,
  namesSaySomething,
  tableMatchesFolders,
  timeComesFromTheClock,
  environmentIsReadOnce,
  sqlStaysInStores,
  wordsAreStandard,
  proseIsStandard,
];

const ranks = parseRanks(`
\`\`\`ranks
3  main
2  alarms  (reports) → devices → access
1  http → runtime
0  contract
\`\`\`
`);

function found(rule: Rule, files: Readonly<Record<string, string>>): string[] {
  return rule({ files: new Map(Object.entries(files)), ranks }).map(place);
}

function place({ file, line, rule }: Violation): string {
  return `${file}:${line} ${rule}`;
}

describe('the real tree', () => {
  it('keeps every rule of the house', () => {
    const tree = readTree();
    const complaints = RULES.flatMap((rule) => rule(tree)).map(
      (violation) => `${place(violation)}: ${violation.advice}`,
    );
    expect(tree.files.size).toBeGreaterThan(50);
    expect(complaints).toEqual([]);
  });
});

describe('packages', () => {
  it('may not import a package above them or beside them', () => {
    expect(
      found(packagesKeepTheirOrder, {
        'contract/src/a.ts': "import '@fieldwatch/client';",
        'client/src/a.ts': "\nimport '../../server/src/a.ts';",
        'server/src/http/a.ts': "import '@fieldwatch/client';",
      }),
    ).toEqual([
      'contract/src/a.ts:1 packages',
      'client/src/a.ts:2 packages',
      'server/src/http/a.ts:1 packages',
    ]);
  });

  it('may import the contract, and tests may import what they like', () => {
    expect(
      found(packagesKeepTheirOrder, {
        'client/src/a.ts': "import '@fieldwatch/contract';",
        'server/src/http/a.ts': "import '@fieldwatch/contract/openapi'; import 'pg';",
        'server/src/http/a.test.ts': "import '@fieldwatch/client';",
      }),
    ).toEqual([]);
  });
});

describe('ranks', () => {
  it('forbid an import upwards, and one of a sibling without an arrow', () => {
    expect(
      found(ranksAreKept, {
        'server/src/http/a.ts': "import type { A } from '../access/index.ts';",
        'server/src/access/a.ts': "import '../devices/index.ts';",
        'server/src/alarms/a.ts': "\n\nexport * from '../devices/index.ts';",
        'server/src/runtime/a.ts': "import '../main.ts';",
      }),
    ).toEqual([
      'server/src/http/a.ts:1 ranks',
      'server/src/access/a.ts:1 ranks',
      'server/src/alarms/a.ts:3 ranks',
      'server/src/runtime/a.ts:1 ranks',
    ]);
  });

  it('allow imports downwards, along an arrow and within a folder', () => {
    expect(
      found(ranksAreKept, {
        'server/src/main.ts': "import './alarms/index.ts';",
        'server/src/devices/a.ts': "import '../access/index.ts'; import './b.ts';",
        'server/src/http/a.ts': "import '../runtime/index.ts';",
      }),
    ).toEqual([]);
  });
});

describe('doors', () => {
  it('are the only way into another folder', () => {
    expect(
      found(doorsAreUsed, {
        'server/src/main.ts': "import './access/store.ts';",
        'server/src/access/a.ts': "import '../http/index.ts'; import '../http/etag.ts';",
        'server/src/http/inner/index.ts': '',
        'server/src/http/a.ts': "import './inner/wall.ts';",
      }),
    ).toEqual([
      'server/src/main.ts:1 doors',
      'server/src/access/a.ts:1 doors',
      'server/src/http/a.ts:1 doors',
    ]);
  });

  it('do not stand in the way within a folder, or of tests', () => {
    expect(
      found(doorsAreUsed, {
        'server/src/main.ts': "import './access/index.ts';",
        'server/src/http/inner/index.ts': "import '../etag.ts';",
        'server/src/http/a.ts': "import './inner/index.ts'; import './etag.ts';",
        'server/src/http/a.test.ts': "import '../access/store.ts';",
      }),
    ).toEqual([]);
  });
});

describe('cycles', () => {
  it('are found, however long', () => {
    expect(
      found(importsMakeNoCycle, {
        'client/src/a.ts': "import './b.ts';",
        'client/src/b.ts': "import type { C } from './c.ts';",
        'client/src/c.ts': "import './a.ts';",
      }),
    ).toEqual(['client/src/c.ts:1 cycles']);
  });

  it('are not seen where two ways lead to one file', () => {
    expect(
      found(importsMakeNoCycle, {
        'client/src/a.ts': "import './b.ts'; import './c.ts';",
        'client/src/b.ts': "import './c.ts';",
        'client/src/c.ts': '',
      }),
    ).toEqual([]);
  });
});

describe('files', () => {
  it('have at most 300 lines, in every language', () => {
    const long = 'x\n'.repeat(301);
    expect(
      found(filesAreShort, {
        'scripts/a.mjs': long,
        'server/migrations/0001.sql': long,
        'server/src/main.ts': 'x\n'.repeat(300),
      }),
    ).toEqual(['scripts/a.mjs:301 length', 'server/migrations/0001.sql:301 length']);
  });

  it('have names that say something', () => {
    expect(
      found(namesSaySomething, {
        'client/src/utils.ts': '',
        'server/src/http/string-helpers.ts': '',
        'server/src/common/index.ts': '',
        'server/src/http/etag.ts': '',
      }),
    ).toEqual([
      'client/src/utils.ts:1 names',
      'server/src/http/string-helpers.ts:1 names',
      'server/src/common/index.ts:1 names',
    ]);
  });
});

describe('the table of ranks', () => {
  const complete = {
    'server/src/main.ts': '',
    'server/src/alarms/index.ts': '',
    'server/src/devices/index.ts': '',
    'server/src/access/index.ts': '',
    'server/src/http/index.ts': '',
    'server/src/runtime/index.ts': '',
  };

  it('names every folder and nothing else', () => {
    expect(found(tableMatchesFolders, complete)).toEqual([]);
    const { 'server/src/alarms/index.ts': _alarms, ...others } = complete;
    expect(
      found(tableMatchesFolders, {
        ...others,
        'server/src/attic/a.ts': '',
        'server/src/reports/a.ts': '',
      }),
    ).toEqual([
      'server/src/attic/a.ts:1 table',
      'ARCHITECTURE.md:1 table',
      'server/src/reports/a.ts:1 table',
    ]);
  });
});

describe('time, environment and SQL', () => {
  it('has one source of time, runtime/', () => {
    expect(
      found(timeComesFromTheClock, {
        'server/src/access/a.ts':
          'const a = Date.now();\nconst b = new Date();\nconst c = new Date;',
        'server/src/runtime/clock.ts': 'Date.now();',
        'server/src/http/a.ts': '// Date.now()\nnew Date(ms); const s = "new Date()";',
        'server/src/http/a.test.ts': 'Date.now();',
      }),
    ).toEqual([
      'server/src/access/a.ts:1 clock',
      'server/src/access/a.ts:2 clock',
      'server/src/access/a.ts:3 clock',
    ]);
  });

  it('reads the environment in config.ts alone', () => {
    expect(
      found(environmentIsReadOnce, {
        'server/src/storage/a.ts': '\nspawn(bin, { env: process.env });',
        'server/src/config.ts': 'process.env;',
        'server/src/main.ts': 'readConfig(process.env); other(process.env);',
        'server/src/http/a.ts': '// process.env\nprocess.pid;',
        'scripts/a.mjs': 'process.env;',
      }),
    ).toEqual(['server/src/storage/a.ts:2 environment', 'server/src/main.ts:1 environment']);
  });

  it('keeps statements in stores and in storage/', () => {
    expect(
      found(sqlStaysInStores, {
        'server/src/access/users.ts': 'q(`\n  select id\n  from users where id = $1`);',
        'server/src/access/keys.ts': "q('UPDATE api_keys SET name = $1 WHERE id = $2');",
        'server/src/access/store.ts': "q('select 1');",
        'server/src/storage/pool.ts': "q('select 1');",
        'server/src/http/a.ts': "const summary = 'Update the record';\nlog('select one');",
      }),
    ).toEqual(['server/src/access/users.ts:1 sql', 'server/src/access/keys.ts:1 sql']);
  });
});
