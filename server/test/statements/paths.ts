import type ts from 'typescript-api';
import type { Choose } from './evaluator.ts';
import { NotFollowed, Unreachable } from './value.ts';

/** More of them than any statement has: a statement with more is too hard to read, too. */
const MAX_PATHS = 400;

type Decisions = ReadonlyMap<string, number>;

interface Walk<T> {
  readonly result: T | undefined;
  readonly options: ReadonlyMap<string, number>;
}

/**
 * Evaluates once for each way through the code that matters: with all conditions decided the one
 * way, with all decided the other way, and from both with each condition decided differently alone.
 */
export function eachPath<T>(evaluate: (choose: Choose) => T): T[] {
  const results: T[] = [];
  let count = 0;
  for (const last of [false, true]) {
    const tried = new Set<string>();
    const waiting: Decisions[] = [new Map()];
    for (let next = waiting.pop(); next; next = waiting.pop()) {
      count += 1;
      if (count > MAX_PATHS) throw new NotFollowed(`has more than ${MAX_PATHS} alternatives`);
      const { result, options } = walk(evaluate, next, last);
      if (result !== undefined) results.push(result);
      for (const [key, size] of options) {
        if (tried.has(key)) continue;
        tried.add(key);
        for (let option = 0; option < size; option += 1) {
          if (option !== (last ? size - 1 : 0)) waiting.push(new Map([...next, [key, option]]));
        }
      }
    }
  }
  return results;
}

function walk<T>(evaluate: (choose: Choose) => T, decisions: Decisions, last: boolean): Walk<T> {
  const options = new Map<string, number>();
  const seen = new Map<ts.Node, number>();
  const choose: Choose = (node, size) => {
    const occurrence = seen.get(node) ?? 0;
    seen.set(node, occurrence + 1);
    const key = `${node.getSourceFile().fileName}:${node.pos}-${node.end}#${occurrence}`;
    options.set(key, size);
    return decisions.get(key) ?? (last ? size - 1 : 0);
  };
  try {
    return { result: evaluate(choose), options };
  } catch (error) {
    if (error instanceof Unreachable) return { result: undefined, options };
    throw error;
  }
}
