import { posix } from 'node:path';
import { importsOf } from './imports.ts';
import { isSource, type Rule, type Tree, type Violation } from './tree.ts';

/** Which packages the sources of a package may name. */
const PACKAGES: Readonly<Record<string, readonly string[]>> = {
  contract: [],
  client: ['contract'],
  server: ['contract'],
  console: ['contract', 'client'],
  simulator: ['contract', 'client'],
};

interface Link {
  readonly file: string;
  readonly line: number;
  readonly specifier: string;
  /** The file it leads to, or null for a package. */
  readonly target: string | null;
}

function linksOf(tree: Tree): Link[] {
  return [...tree.files]
    .filter(([file]) => isSource(file))
    .flatMap(([file, text]) =>
      importsOf(text).map(({ specifier, line }) => ({
        file,
        line,
        specifier,
        target: specifier.startsWith('.') ? posix.join(posix.dirname(file), specifier) : null,
      })),
    );
}

/** The package that a file belongs to. */
function packageOf(path: string): string {
  return path.split('/')[0] as string;
}

/** The folder or top-level file of the server that a path belongs to: `access`, `main`. */
export function partOf(path: string): string | undefined {
  return /^server\/src\/([^/]+?)(?:\.ts)?(?:\/|$)/.exec(path)?.[1];
}

/** A package names only the packages below it. */
export const packagesKeepTheirOrder: Rule = (tree) =>
  linksOf(tree).flatMap(({ file, line, specifier, target }) => {
    const from = packageOf(file);
    const to = target ? packageOf(target) : /^@fieldwatch\/([^/]+)/.exec(specifier)?.[1];
    if (to === undefined || to === from || PACKAGES[from]?.includes(to)) return [];
    // Commands and tools for assistants talk to a server as any other client does.
    if (/^server\/src\/(?:cli\/remote|mcp)\//.test(file) && to === 'client') return [];
    const advice = `${from} may not import ${to}; move what is shared into contract`;
    return [{ file, line, rule: 'packages', advice }];
  });

/** A part of the server imports only from lower ranks, or along an arrow. */
export const ranksAreKept: Rule = ({ files, ranks }) =>
  linksOf({ files, ranks }).flatMap(({ file, line, target }) => {
    const from = partOf(file);
    const to = target ? partOf(target) : undefined;
    if (from === undefined || to === undefined || from === to) return [];
    const [high, low] = [ranks.rankOf(from), ranks.rankOf(to)];
    if (high === undefined || low === undefined || low < high || ranks.hasArrow(from, to)) {
      return [];
    }
    const advice =
      low > high
        ? `${from} (rank ${high}) may not import ${to} (rank ${low}); let ${to} pass in what is needed`
        : `${from} and ${to} stand on one rank without an arrow; wire them in compose/`;
    return [{ file, line, rule: 'ranks', advice }];
  });

/** A folder is entered through its index.ts, from wherever it is not part of. */
export const doorsAreUsed: Rule = (tree) =>
  linksOf(tree).flatMap(({ file, line, target }) => {
    if (target === null) return [];
    const folder = folderEntered(file, target);
    if (folder === undefined || target === `${folder}/index.ts`) return [];
    if (partOf(folder) === undefined && !tree.files.has(`${folder}/index.ts`)) return [];
    const advice = `import from ${folder}/index.ts, and export there what is meant for others`;
    return [{ file, line, rule: 'doors', advice }];
  });

/** The outermost folder of the target that the file does not lie in. */
function folderEntered(file: string, target: string): string | undefined {
  const here = posix.dirname(file).split('/');
  const there = posix.dirname(target).split('/');
  const depth = there.findIndex((name, index) => name !== here[index]);
  return depth === -1 ? undefined : there.slice(0, depth + 1).join('/');
}

/** No file is reached again by following its imports. */
export const importsMakeNoCycle: Rule = (tree) => {
  const linksByFile = new Map<string, Link[]>();
  for (const link of linksOf(tree)) {
    linksByFile.set(link.file, [...(linksByFile.get(link.file) ?? []), link]);
  }
  const finished = new Set<string>();
  const violations: Violation[] = [];

  function follow(file: string, way: readonly string[]): void {
    for (const { target, line } of linksByFile.get(file) ?? []) {
      if (target === null || finished.has(target)) continue;
      const start = way.indexOf(target);
      if (start === -1) {
        follow(target, [...way, target]);
      } else {
        const circle = [...way.slice(start), target].join(' → ');
        const advice = `break the circle ${circle}: move what both need into a third file`;
        violations.push({ file, line, rule: 'cycles', advice });
      }
    }
    finished.add(file);
  }

  for (const file of linksByFile.keys()) if (!finished.has(file)) follow(file, [file]);
  return violations;
};
