import { perSource } from './per-source.ts';
import { type Token, tokensOf } from './tokens.ts';

export interface Import {
  readonly specifier: string;
  readonly line: number;
}

/** Every module a file names: static, dynamic, re-exported, for its types or for its effects. */
export const importsOf: (source: string) => readonly Import[] = perSource(findImports);

function findImports(source: string): Import[] {
  const tokens = tokensOf(source);
  return tokens.flatMap((token, index) => {
    if (token.kind !== 'word' || tokens[index - 1]?.text === '.') return [];
    const string = specifierAfter(tokens, index);
    return string ? [{ specifier: string.text, line: string.line }] : [];
  });
}

function specifierAfter(tokens: readonly Token[], index: number): Token | undefined {
  const word = tokens[index]?.text;
  const next = tokens[index + 1];
  if (word === 'import') {
    if (next?.kind === 'string') return next;
    if (next?.text === '(') return stringAt(tokens, index + 2);
    return next?.text === '.' ? undefined : afterFrom(tokens, index + 1);
  }
  if (word !== 'export') return undefined;
  const first = next?.text === 'type' ? index + 2 : index + 1;
  return ['{', '*'].includes(tokens[first]?.text ?? '') ? afterFrom(tokens, first) : undefined;
}

/** The string behind the `from` that ends a clause; none when the statement ends before. */
function afterFrom(tokens: readonly Token[], start: number): Token | undefined {
  for (let index = start; index < tokens.length; index += 1) {
    const token = tokens[index] as Token;
    if (token.text === 'from' && tokens[index + 1]?.kind === 'string') return tokens[index + 1];
    if (token.kind === 'mark' && !'{},*'.includes(token.text)) return undefined;
    if (token.text === '}' && tokens[index + 1]?.text !== 'from') return undefined;
  }
  return undefined;
}

function stringAt(tokens: readonly Token[], index: number): Token | undefined {
  return tokens[index]?.kind === 'string' ? tokens[index] : undefined;
}
