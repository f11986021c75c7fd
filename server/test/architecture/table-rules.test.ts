import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { parseTables, tablesHaveOwners } from './table-rules.ts';
import { ROOT, readTree } from './tree.ts';

const TABLES = parseTables(`
\`\`\`tables
access   users  sessions
devices  devices: read by alarms, live; written by presence
\`\`\`
`);

const MIGRATIONS = {
  'server/migrations/0001-first.sql':
    'create table users (id uuid);\ncreate table sessions (id uuid);\ncreate table devices (id uuid);',
};
const SHARES = {
  'server/src/alarms/store.ts': "const sql = 'select id from devices';",
  'server/src/live/store.ts': "requireReferences([{ table: 'devices', id }]);",
  'server/src/presence/store.ts': 'const sql = `update devices set seen = $1`;',
};

function found(files: Readonly<Record<string, string>>): string[] {
  const tree = { files: new Map(Object.entries({ ...MIGRATIONS, ...SHARES, ...files })) };
  return tablesHaveOwners(tree, TABLES).map(
    ({ file, line, advice }) => `${file}:${line} ${advice}`,
  );
}

describe('the tables of the database', () => {
  it('are used by their owner folders and by listed folders alone', () => {
    const markdown = readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8');
    expect(tablesHaveOwners(readTree(), parseTables(markdown))).toEqual([]);
  });
});

describe('the rule for tables', () => {
  it('accepts the owner, and folders that are listed for that access', () => {
    expect(
      found({ 'server/src/access/users/store.ts': "const sql = 'delete from users';" }),
    ).toEqual([]);
  });

  it('refuses a folder that is not listed, and a write where only reads are listed', () => {
    expect(
      found({
        'server/src/http/store.ts': "\nconst sql = 'select 1 from devices join users on true';",
        'server/src/alarms/other/store.ts': 'const sql = sql`delete from devices`;',
        'server/src/live/store.ts':
          "const a = { table: 'devices' }; const b = { deleteFrom: 'users' };",
      }),
    ).toEqual([
      'server/src/live/store.ts:1 use the door of access, or list that users is written by live',
      'server/src/http/store.ts:2 use the door of devices, or list that devices is read by http',
      'server/src/http/store.ts:2 use the door of access, or list that users is read by http',
      'server/src/alarms/other/store.ts:1 use the door of devices, or list that devices is written by alarms',
    ]);
  });

  it('refuses a table without an owner, an owner without a table, and an unused share', () => {
    const files = new Map([['server/migrations/0001.sql', 'create table extra (id uuid);']]);
    expect(tablesHaveOwners({ files }, TABLES).map(({ advice }) => advice)).toEqual([
      'give the table extra an owner folder',
      'remove the table users, which no migration creates',
      'remove the table sessions, which no migration creates',
      'remove the table devices, which no migration creates',
      'remove a share that no statement uses: alarms read devices',
      'remove a share that no statement uses: live read devices',
      'remove a share that no statement uses: presence written devices',
    ]);
  });

  it('ignores comments, and other words behind the keywords of SQL', () => {
    expect(
      found({ 'server/src/http/a.ts': "// rows from users\nconst text = 'update from nowhere';" }),
    ).toEqual([]);
  });

  it.each([
    ['no block', 'ARCHITECTURE.md has no block'],
    ['```tables\naccess\n```', 'Not a line of tables'],
    ['```tables\naccess  a\nhttp  a\n```', 'a has two owners'],
    ['```tables\naccess  a: seen by http\n```', 'Not a share'],
  ])('does not accept the block %j', (markdown, message) => {
    expect(() => parseTables(markdown)).toThrow(message);
  });
});
