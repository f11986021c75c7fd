import { existsSync, readdirSync, readFileSync } from 'node:fs';
import { dirname, join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT } from './architecture/tree.ts';

const SETTING = /\bFIELDWATCH_[A-Z_]+[A-Z]\b|\bDATABASE_URL\b/g;
const LINK = /\]\((?!https?:|mailto:)([^)\s]*)\)/g;
const COMMAND = /\bnpm run ([\w:-]+)/g;
/** A file or folder between backticks: letters, digits, dots and dashes, with a slash in between. */
const PATH = /`([\w.-]+(?:\/[\w.-]+)+\/?)`/g;
/** What a document may leave out at the beginning of a path. */
const BASES = ['', 'server/src', 'server/test', 'console/src', 'contract/src'];
/** Made by the build or by the server, and in no checkout. */
const MADE = /^(?:data|\.build)\b|^console\/dist\b/;

const documents = [
  ...readdirSync(ROOT).filter((name) => name.endsWith('.md')),
  ...['docs', 'client', 'console', 'bench', 'server/src'].flatMap((folder) =>
    readdirSync(join(ROOT, folder), { recursive: true, encoding: 'utf8' })
      .filter((name) => name.endsWith('.md') && !name.includes('node_modules'))
      .map((name) => join(folder, name)),
  ),
];

function read(path: string): string {
  return readFileSync(join(ROOT, path), 'utf8');
}

function settingsIn(path: string): string[] {
  return [...new Set(read(path).match(SETTING))].sort();
}

/** The anchor that Markdown readers give a heading. */
function anchorsIn(path: string): string[] {
  return [...read(path).matchAll(/^#+ (.+)$/gm)].map(([, heading]) =>
    (heading as string)
      .toLowerCase()
      .replaceAll(/[^\p{L}\p{N} _-]/gu, '')
      .replaceAll(' ', '-'),
  );
}

describe('docs/running.md', () => {
  it('has a row for every setting that the server reads, and for no other', () => {
    const rows = [...read('docs/running.md').matchAll(/^\| `([A-Z_]+)` \|/gm)].map(
      ([, name]) => name,
    );
    expect(rows.length).toBeGreaterThan(10);
    expect([...rows].sort()).toEqual(settingsIn('server/src/config.ts'));
  });
});

/** Whether a path of a document means a file of this repository: its first part is a folder here. */
function isOwn(document: string, path: string): boolean {
  const [first = ''] = path.split('/');
  return [dirname(document), ...BASES].some((base) => existsSync(join(ROOT, base, first)));
}

function isThere(document: string, path: string): boolean {
  return [dirname(document), ...BASES].some((base) => existsSync(join(ROOT, base, path)));
}

describe.each(documents)('%s', (path) => {
  it('names only files and folders that exist', () => {
    const named = [...read(path).matchAll(PATH)].map(([, name]) => name as string);
    const missing = named
      .filter((name) => !MADE.test(name) && isOwn(path, name))
      .filter((name) => !isThere(path, name));
    expect(missing).toEqual([]);
  });

  it('names only settings that exist', () => {
    const known = settingsIn('server/src/config.ts');
    expect(settingsIn(path).filter((name) => !known.includes(name))).toEqual([]);
  });

  it('has no link that leads nowhere', () => {
    const broken = [...read(path).matchAll(LINK)]
      .map(([, link]) => link as string)
      .filter((link) => {
        const [file, anchor] = link.split('#');
        const target = file ? join(dirname(path), file) : path;
        if (!existsSync(join(ROOT, target))) return true;
        return anchor !== undefined && !anchorsIn(target).includes(anchor);
      });
    expect(broken).toEqual([]);
  });

  it('names only commands that exist', () => {
    const { scripts } = JSON.parse(read('package.json')) as { scripts: Record<string, string> };
    const commands = [...read(path).matchAll(COMMAND)].map(([, name]) => name as string);
    expect(commands.filter((name) => !(name in scripts))).toEqual([]);
  });
});
