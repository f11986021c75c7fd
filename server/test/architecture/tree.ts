import { readdirSync, readFileSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { parseRanks, type Ranks } from './ranks.ts';

/** What the rules look at. Paths are relative to the root and written with `/`. */
export interface Tree {
  readonly files: ReadonlyMap<string, string>;
  readonly ranks: Ranks;
}

export interface Violation {
  readonly file: string;
  readonly line: number;
  readonly rule: string;
  /** What to do about it. */
  readonly advice: string;
}

export type Rule = (tree: Tree) => Violation[];

export const ROOT = fileURLToPath(new URL('../../..', import.meta.url));

const FOLDERS = ['contract', 'client', 'server', 'console', 'simulator', 'scripts', 'bench'];
const EXTENSIONS = /\.(?:ts|tsx|js|mjs|sql|css)$/;
const LEFT_OUT = /(?:^|\/)(?:node_modules|dist|data)\//;

/** Reads the real tree. */
export function readTree(): Tree {
  const paths = filesUnder(FOLDERS).filter((path) => EXTENSIONS.test(path));
  return {
    files: new Map(paths.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')])),
    ranks: parseRanks(readFileSync(join(ROOT, 'ARCHITECTURE.md'), 'utf8')),
  };
}

/** Reads the documents, for the rules about prose. */
export function readDocuments(): Tree['files'] {
  const ofRoot = readdirSync(ROOT).filter((name) => name.endsWith('.md'));
  const paths = [...ofRoot, ...filesUnder([...FOLDERS, 'docs', 'examples', 'integrations'])];
  const documents = paths.filter((path) => path.endsWith('.md'));
  return new Map(documents.map((path) => [path, readFileSync(join(ROOT, path), 'utf8')]));
}

function filesUnder(folders: readonly string[]): string[] {
  const present = new Set(readdirSync(ROOT));
  return folders
    .filter((folder) => present.has(folder))
    .flatMap((folder) =>
      readdirSync(join(ROOT, folder), { recursive: true, withFileTypes: true })
        .filter((entry) => entry.isFile())
        .map((entry) =>
          join(entry.parentPath, entry.name).slice(ROOT.length).replaceAll('\\', '/'),
        ),
    )
    .filter((path) => !LEFT_OUT.test(path))
    .sort();
}

/** Sources as they are shipped: what lies under a `src` folder and is not a test. */
export function isSource(path: string): boolean {
  return /^[^/]+\/src\/.*\.tsx?$/.test(path) && !/\.test\.tsx?$/.test(path);
}
