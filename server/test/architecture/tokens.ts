import { perSource } from './per-source.ts';

/** A piece of source text. Comments, white space and regular expressions are left out. */
export interface Token {
  readonly kind: 'word' | 'string' | 'mark';
  /** A string's content; a template's has a blank for each of its expressions. */
  readonly text: string;
  readonly line: number;
}

const WORD = /[\p{L}\p{N}_$#]+/uy;
const ASCII_WORD = /[\w$#]+/y;
/** White space and comments. */
const GAP = /(?:\s+|\/\/[^\n]*|\/\*[\s\S]*?\*\/)+/y;
const STRING = /'(?:[^'\\\n]|\\[\s\S])*'|"(?:[^"\\\n]|\\[\s\S])*"/y;
const TEMPLATE_TEXT = /(?:[^`\\$]|\\[\s\S]|\$(?!\{))*/y;
const REGEXP = /\/(?:[^/\\[\n]|\\.|\[(?:[^\]\\\n]|\\.)*\])+\/[a-z]*/y;

/** After these a slash begins a regular expression; after anything else that ends a value, it divides. */
const BEFORE_VALUE = new Set([
  'return',
  'typeof',
  'case',
  'in',
  'of',
  'do',
  'else',
  'void',
  'await',
]);

/**
 * Splits TypeScript or JavaScript into tokens: enough to find imports and calls without being fooled
 * by comments and strings.
 */
export const tokensOf: (source: string) => readonly Token[] = perSource(splitIntoTokens);

function splitIntoTokens(source: string): Token[] {
  const tokens: Token[] = [];
  let at = 0;
  let line = 1;

  function take(pattern: RegExp): string | undefined {
    pattern.lastIndex = at;
    const text = pattern.exec(source)?.[0];
    if (text === undefined || text === '') return undefined;
    return advance(text);
  }

  function advance(text: string): string {
    at += text.length;
    for (let end = text.indexOf('\n'); end !== -1; end = text.indexOf('\n', end + 1)) line += 1;
    return text;
  }

  function takeWord(): string | undefined {
    ASCII_WORD.lastIndex = at;
    const end = ASCII_WORD.test(source) ? ASCII_WORD.lastIndex : at;
    if (source.charCodeAt(end) > 127) return take(WORD);
    const word = source.slice(at, end);
    at = end;
    return word === '' ? undefined : word;
  }

  function valueMayFollow(): boolean {
    const last = tokens.at(-1);
    if (last === undefined) return true;
    if (last.kind === 'mark') return !')]}'.includes(last.text);
    return last.kind === 'word' && BEFORE_VALUE.has(last.text);
  }

  function takeTemplate(): void {
    const first = line;
    const place = tokens.length;
    let text = '';
    advance('`');
    while (at < source.length) {
      text += take(TEMPLATE_TEXT) ?? '';
      if (source[at] === '`') break;
      advance('${');
      text += ' ';
      takeUntilClosed();
    }
    advance('`');
    tokens.splice(place, 0, { kind: 'string', text, line: first });
  }

  /** The inside of a template's expression, with its closing brace. */
  function takeUntilClosed(): void {
    for (let depth = 1; at < source.length; ) {
      if (source[at] === '{') depth += 1;
      if (source[at] === '}') depth -= 1;
      if (depth === 0) {
        advance('}');
        return;
      }
      takeOne();
    }
  }

  function takeOne(): void {
    if (take(GAP)) return;
    const first = line;
    const next = source[at];
    if (next === '`') {
      takeTemplate();
      return;
    }
    const string = next === "'" || next === '"' ? take(STRING) : undefined;
    if (string !== undefined) {
      tokens.push({ kind: 'string', text: string.slice(1, -1), line: first });
      return;
    }
    if (next === '/' && valueMayFollow() && take(REGEXP)) return;
    const word = takeWord();
    tokens.push(
      word === undefined
        ? { kind: 'mark', text: advance(source[at] as string), line: first }
        : { kind: 'word', text: word, line: first },
    );
  }

  while (at < source.length) takeOne();
  return tokens;
}
