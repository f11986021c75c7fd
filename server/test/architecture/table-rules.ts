import { tokensOf } from './tokens.ts';
import { isSource, type Tree, type Violation } from './tree.ts';

export type Access = 'read' | 'written';

/** The tables block in ARCHITECTURE.md: the owner folder of each table, and the access of others. */
export interface Tables {
  readonly owners: ReadonlyMap<string, string>;
  /** Entries such as `alarms reads devices`. */
  readonly shared: ReadonlySet<string>;
}

const BLOCK = /```tables\n([\s\S]*?)```/;
const LINE = /^([\w-]+)\s{2,}(\S.*)$/;
const SHARE = /^(read|written) by (.+)$/;

const shareOf = (folder: string, access: Access, table: string) => `${folder} ${access} ${table}`;

/**
 * Reads lines like `access  users  sessions`, which name an owner and tables that no other folder
 * uses, and lines like `devices  devices: read by alarms, live; written by presence`.
 */
export function parseTables(markdown: string): Tables {
  const block = BLOCK.exec(markdown)?.[1];
  if (block === undefined) throw new Error('ARCHITECTURE.md has no block marked `tables`.');
  const owners = new Map<string, string>();
  const shared = new Set<string>();
  for (const line of block.split('\n').filter((text) => text.trim() !== '')) {
    const [, owner, rest] = LINE.exec(line) ?? [];
    if (owner === undefined || rest === undefined) throw new Error(`Not a line of tables: ${line}`);
    const [names = '', shares] = rest.split(':');
    for (const table of names.trim().split(/\s{2,}/)) {
      if (owners.has(table)) throw new Error(`${table} has two owners.`);
      owners.set(table, owner);
      for (const share of sharesIn(shares ?? '', table)) shared.add(share);
    }
  }
  return { owners, shared };
}

function sharesIn(text: string, table: string): string[] {
  const shares = text.split(';').filter((share) => share.trim() !== '');
  return shares.flatMap((share) => {
    const [, access, folders] = SHARE.exec(share.trim()) ?? [];
    if (access === undefined || folders === undefined) throw new Error(`Not a share: ${share}`);
    return folders.split(',').map((name) => shareOf(name.trim(), access as Access, table));
  });
}

const CREATED = /\bcreate table (?:if not exists )?([a-z_]+)/gi;
const STATEMENT = /\b(insert into|update|delete from|from|join)\s+(?:only\s+)?([a-z_]+)\b/gi;
const WRITES = /^(?:insert|update|delete)/i;
/** Calls and properties that name a table which a statement elsewhere reads or writes. */
const NAMED: readonly (readonly [access: Access, before: readonly string[]])[] = [
  ['read', ['table', ':']],
  ['written', ['deleteFrom', ':']],
];

interface Use {
  readonly file: string;
  readonly line: number;
  readonly folder: string;
  readonly table: string;
  readonly access: Access;
}

/** The uses of tables in the SQL of the server's sources. */
function usesIn(file: string, text: string): Use[] {
  const folder = file.split('/')[2]?.replace(/\.ts$/, '') ?? '';
  const tokens = tokensOf(text);
  return tokens.flatMap((token, index): Use[] => {
    if (token.kind !== 'string') return [];
    const { line } = token;
    const before = tokens.slice(Math.max(0, index - 2), index).map((each) => each.text);
    const named = NAMED.filter(([, words]) => words.join() === before.join()).map(([access]) => ({
      ...{ file, line, folder, access },
      table: token.text,
    }));
    const inStatements = [...token.text.matchAll(STATEMENT)].map(
      ([, verb = '', table = '']): Use => ({
        ...{ file, line, folder, table },
        access: WRITES.test(verb) ? 'written' : 'read',
      }),
    );
    return [...named, ...inStatements];
  });
}

/** Every table has one owner folder, and no other folder uses it unless ARCHITECTURE.md says so. */
export function tablesHaveOwners({ files }: Pick<Tree, 'files'>, tables: Tables): Violation[] {
  const document = (advice: string): Violation => ({
    file: 'ARCHITECTURE.md',
    line: 1,
    rule: 'tables',
    advice,
  });
  const created = new Set(
    [...files]
      .filter(([file]) => file.startsWith('server/migrations/'))
      .flatMap(([, text]) => [...text.matchAll(CREATED)].map(([, table = '']) => table)),
  );
  const uses = [...files]
    .filter(([file]) => isSource(file) && file.startsWith('server/src/'))
    .flatMap(([file, text]) => usesIn(file, text))
    .filter(({ table }) => created.has(table));
  const seen = new Set(uses.map(({ folder, access, table }) => shareOf(folder, access, table)));
  return [
    ...[...created]
      .filter((table) => !tables.owners.has(table))
      .map((table) => document(`give the table ${table} an owner folder`)),
    ...[...tables.owners.keys()]
      .filter((table) => !created.has(table))
      .map((table) => document(`remove the table ${table}, which no migration creates`)),
    ...[...tables.shared]
      .filter((share) => !seen.has(share))
      .map((share) => document(`remove a share that no statement uses: ${share}`)),
    ...uses
      .filter(
        ({ folder, access, table }) =>
          tables.owners.get(table) !== folder && !tables.shared.has(shareOf(folder, access, table)),
      )
      .map(({ file, line, folder, table, access }) => ({
        ...{ file, line, rule: 'tables' },
        advice: `use the door of ${tables.owners.get(table)}, or list that ${table} is ${access} by ${folder}`,
      })),
  ];
}
