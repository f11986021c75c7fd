/** The table of ranks in ARCHITECTURE.md, as people read it. */
export interface Ranks {
  /** The rank of a folder or top-level file; undefined when the table does not name it. */
  rankOf(name: string): number | undefined;
  /** True when an arrow lets the first import the second although their ranks are the same. */
  hasArrow(from: string, to: string): boolean;
  readonly built: readonly string[];
  /** Named in parentheses: announced, not there yet. */
  readonly planned: readonly string[];
}

const BLOCK = /```ranks\n([\s\S]*?)```/;
const LINE = /^(\d+)\s+(\S.*)$/;

/**
 * Reads lines like `2  (variables) → access  live`: a rank, then chains that stand at least two
 * spaces apart. In a chain each may import everything to its right.
 */
export function parseRanks(markdown: string): Ranks {
  const block = BLOCK.exec(markdown)?.[1];
  if (block === undefined) throw new Error('ARCHITECTURE.md has no block marked `ranks`.');
  const rankByName = new Map<string, number>();
  const arrows = new Set<string>();
  const built: string[] = [];
  const planned: string[] = [];
  for (const line of block.split('\n').filter((text) => text.trim() !== '')) {
    const [, rank, rest] = LINE.exec(line) ?? [];
    if (rank === undefined || rest === undefined) throw new Error(`Not a line of ranks: ${line}`);
    for (const chain of rest.trim().split(/\s{2,}/)) {
      const words = chain.split('→').map((word) => word.trim());
      const names = words.map((word) => word.replace(/^\((.*)\)$/, '$1'));
      for (const [index, name] of names.entries()) {
        rankByName.set(name, Number(rank));
        (words[index] === name ? built : planned).push(name);
        for (const right of names.slice(index + 1)) arrows.add(`${name} → ${right}`);
      }
    }
  }
  return {
    rankOf: (name) => rankByName.get(name),
    hasArrow: (from, to) => arrows.has(`${from} → ${to}`),
    built,
    planned,
  };
}
