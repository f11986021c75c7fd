/*
 * Regular expressions of label matchers, matched as a whole, in time linear in the text: JavaScript's
 * own can be made to run for hours by whoever chooses the pattern. All states that can be reached are
 * followed at once (Thompson's construction).
 */

/** Whether a text matches. */
export type LabelPattern = (text: string) => boolean;

type CharTest = (code: number) => boolean;

type Node =
  | { readonly kind: 'CHAR'; readonly test: CharTest }
  | { readonly kind: 'ALL'; readonly parts: readonly Node[] }
  | { readonly kind: 'ANY'; readonly parts: readonly Node[] }
  | { readonly kind: 'REPEAT'; readonly part: Node; readonly min: 0 | 1; readonly isOnce: boolean };

interface State {
  /** Undefined where the state is passed without a character. */
  readonly test?: CharTest;
  next: readonly State[];
}

/** The reason says what of the pattern is not supported. */
export class UnsupportedPattern extends Error {}

export function labelPattern(source: string): LabelPattern {
  const end: State = { next: [] };
  const start = linked(new PatternParser(source).parse(), end);
  return (text) => {
    let reached = reachedFrom([start]);
    for (const char of text) {
      const code = char.codePointAt(0) as number;
      const next: State[] = [];
      for (const state of reached) if (state.test?.(code)) next.push(...state.next);
      reached = reachedFrom(next);
    }
    return reached.has(end);
  };
}

function reachedFrom(states: State[]): ReadonlySet<State> {
  const reached = new Set<State>();
  while (states.length > 0) {
    const state = states.pop() as State;
    if (reached.has(state)) continue;
    reached.add(state);
    if (!state.test) states.push(...state.next);
  }
  return reached;
}

/** The state in which a part begins that goes on to another state. */
function linked(node: Node, to: State): State {
  if (node.kind === 'CHAR') return { test: node.test, next: [to] };
  if (node.kind === 'ALL') return node.parts.reduceRight((next, part) => linked(part, next), to);
  if (node.kind === 'ANY') return { next: node.parts.map((part) => linked(part, to)) };
  if (node.isOnce) return { next: [linked(node.part, to), to] };
  const loop: State = { next: [] };
  const first = linked(node.part, loop);
  loop.next = [first, to];
  return node.min === 0 ? loop : first;
}

const CLASSES: Readonly<Record<string, CharTest>> = {
  d: (code) => code >= 48 && code <= 57,
  s: (code) => code === 32 || (code >= 9 && code <= 13 && code !== 11),
  w: (code) =>
    code === 95 ||
    (code >= 48 && code <= 57) ||
    (code >= 65 && code <= 90) ||
    (code >= 97 && code <= 122),
};
const CONTROLS: Readonly<Record<string, string>> = { n: '\n', r: '\r', t: '\t' };

class PatternParser {
  readonly #chars: readonly string[];
  #at = 0;

  constructor(source: string) {
    this.#chars = [...source];
  }

  parse(): Node {
    this.#skip('^');
    const node = this.#alternatives();
    if (this.#at < this.#chars.length) throw new UnsupportedPattern('a parenthesis is not opened');
    return node;
  }

  #skip(char: string): boolean {
    if (this.#chars[this.#at] !== char) return false;
    this.#at += 1;
    return true;
  }

  #alternatives(): Node {
    const parts = [this.#sequence()];
    while (this.#skip('|')) parts.push(this.#sequence());
    return parts.length === 1 ? (parts[0] as Node) : { kind: 'ANY', parts };
  }

  #sequence(): Node {
    const parts: Node[] = [];
    while (this.#at < this.#chars.length && !['|', ')'].includes(this.#chars[this.#at] as string)) {
      if (this.#at === this.#chars.length - 1 && this.#skip('$')) break;
      parts.push(this.#repeated(this.#atom()));
    }
    return { kind: 'ALL', parts };
  }

  #repeated(part: Node): Node {
    for (const [char, min, isOnce] of REPEATS) {
      if (!this.#skip(char)) continue;
      // Which of several ways a whole text matches makes no difference.
      this.#skip('?');
      return { kind: 'REPEAT', part, min, isOnce };
    }
    return part;
  }

  #atom(): Node {
    const char = this.#take();
    if (char === '(') return this.#group();
    if (char === '[') return { kind: 'CHAR', test: this.#oneOf() };
    if (char === '.') return { kind: 'CHAR', test: () => true };
    if (char === '\\') return { kind: 'CHAR', test: this.#escaped() };
    if ('*+?'.includes(char)) throw new UnsupportedPattern(`${char} follows nothing`);
    if ('^$'.includes(char)) throw new UnsupportedPattern(`${char} is not at an end`);
    if (char === '{') throw new UnsupportedPattern('counted repetition is not supported');
    return { kind: 'CHAR', test: isChar(char) };
  }

  #group(): Node {
    if (this.#skip('?') && !this.#skip(':')) {
      throw new UnsupportedPattern('of groups with ? only (?: is supported');
    }
    const node = this.#alternatives();
    if (!this.#skip(')')) throw new UnsupportedPattern('a parenthesis is not closed');
    return node;
  }

  #escaped(): CharTest {
    const char = this.#take();
    const test = CLASSES[char.toLowerCase()];
    if (test) return char === char.toLowerCase() ? test : (code) => !test(code);
    const control = CONTROLS[char];
    if (control === undefined && /[A-Za-z0-9]/.test(char)) {
      throw new UnsupportedPattern(`\\${char} is not supported`);
    }
    return isChar(control ?? char);
  }

  #oneOf(): CharTest {
    const isNegated = this.#skip('^');
    const tests: CharTest[] = [];
    do {
      const char = this.#take();
      if (char === '[' && this.#chars[this.#at] === ':') {
        throw new UnsupportedPattern('[: is not supported');
      }
      tests.push(char === '\\' ? this.#escaped() : this.#span(char));
    } while (!this.#skip(']'));
    return (code) => tests.some((test) => test(code)) !== isNegated;
  }

  #span(first: string): CharTest {
    const isSpan = this.#chars[this.#at] === '-' && this.#chars[this.#at + 1] !== ']';
    if (!isSpan) return isChar(first);
    this.#at += 1;
    const last = this.#take();
    if (last === '\\') throw new UnsupportedPattern('\\ at the end of a span is not supported');
    const [from, to] = [first, last].map((char) => char.codePointAt(0) as number);
    return (code) => code >= (from as number) && code <= (to as number);
  }

  #take(): string {
    const char = this.#chars[this.#at];
    if (char === undefined) throw new UnsupportedPattern('it ends too early');
    this.#at += 1;
    return char;
  }
}

const REPEATS = [
  ['*', 0, false],
  ['+', 1, false],
  ['?', 0, true],
] as const;

function isChar(char: string): CharTest {
  const own = char.codePointAt(0);
  return (code) => code === own;
}
