import { partOf } from './import-rules.ts';
import { type Token, tokensOf } from './tokens.ts';
import { isSource, type Rule, type Violation } from './tree.ts';

const MAX_LINES = 300;

export const filesAreShort: Rule = ({ files }) =>
  [...files].flatMap(([file, text]) => {
    const lines = text.replace(/\n$/, '').split('\n').length;
    if (lines <= MAX_LINES) return [];
    const advice = `${lines} lines; split it along its nouns, ${MAX_LINES} are the limit`;
    return [{ file, line: MAX_LINES + 1, rule: 'length', advice }];
  });

const EMPTY_NAME = /^(?:utils?|helpers?|common|managers?|misc)$/i;

export const namesSaySomething: Rule = ({ files }) =>
  [...files.keys()].flatMap((file) => {
    const word = file.split(/[/._-]/).find((part) => EMPTY_NAME.test(part));
    if (word === undefined) return [];
    const advice = `"${word}" says nothing; name the file after what it holds`;
    return [{ file, line: 1, rule: 'names', advice }];
  });

/** The table in ARCHITECTURE.md and the folders of the server agree. */
export const tableMatchesFolders: Rule = ({ files, ranks }) => {
  const present = new Map<string, string>();
  for (const file of files.keys()) {
    const part = isSource(file) ? partOf(file) : undefined;
    if (part !== undefined && !present.has(part)) present.set(part, file);
  }
  const about = (name: string, advice: string): Violation => ({
    file: present.get(name) ?? 'ARCHITECTURE.md',
    line: 1,
    rule: 'table',
    advice,
  });
  return [
    ...[...present.keys()]
      .filter((name) => ranks.rankOf(name) === undefined)
      .map((name) => about(name, `give ${name} a rank in ARCHITECTURE.md`)),
    ...ranks.built
      .filter((name) => name !== 'contract' && !present.has(name))
      .map((name) => about(name, `there is no server/src/${name}; take it out or put it in ( )`)),
    ...ranks.planned
      .filter((name) => present.has(name))
      .map((name) => about(name, `${name} exists now; take its parentheses off`)),
  ];
};

export const timeComesFromTheClock: Rule = forSources(
  (file) => !/^(?:server|console)\/src\/runtime\//.test(file),
  (tokens, index) =>
    follows(tokens, index, 'Date', '.', 'now') || isCallWithoutArguments(tokens, index),
  { rule: 'clock', advice: 'take the time as an argument, from the Clock of runtime/' },
);

/** `new Date()`, also without the parentheses. */
function isCallWithoutArguments(tokens: readonly Token[], index: number): boolean {
  if (!follows(tokens, index, 'new', 'Date')) return false;
  return tokens[index + 2]?.text !== '(' || tokens[index + 3]?.text === ')';
}

export const environmentIsReadOnce: Rule = forSources(
  (file) => file !== 'server/src/config.ts',
  (tokens, index) =>
    follows(tokens, index, 'process', '.', 'env') && !follows(tokens, index - 2, 'readConfig', '('),
  { rule: 'environment', advice: 'add the setting to config.ts and take its value as an argument' },
);

const SQL_BEGINNINGS = [
  String.raw`select\s+\d`,
  String.raw`select\b[^;]*(?:\bfrom\b|\()`,
  String.raw`insert\s+into\s`,
  String.raw`update\s+\S+\s+(?:as\s+\S+\s+)?set\s`,
  String.raw`delete\s+from\s`,
  String.raw`(?:create|alter|drop|truncate|lock)\s+(?:table|unique|index|schema|function|type|role)\b`,
  String.raw`with\s+\w+\s+as\s*\(`,
  String.raw`copy\s+\S+\s+(?:from|to)\s`,
  String.raw`set\s+local\s`,
];
const SQL = new RegExp(String.raw`^\s*(?:${SQL_BEGINNINGS.join('|')})`, 'i');

export const sqlStaysInStores: Rule = forSources(
  (file) =>
    file.startsWith('server/src/') &&
    !file.startsWith('server/src/storage/') &&
    !file.endsWith('/store.ts'),
  (tokens, index) => tokens[index]?.kind === 'string' && SQL.test(tokens[index].text),
  { rule: 'sql', advice: 'move the statement into the store.ts of its folder' },
);

/** A rule that looks at every token of the sources in its scope. */
function forSources(
  isInScope: (file: string) => boolean,
  isBad: (tokens: readonly Token[], index: number) => boolean,
  { rule, advice }: { readonly rule: string; readonly advice: string },
): Rule {
  return ({ files }) =>
    [...files]
      .filter(([file]) => isSource(file) && isInScope(file))
      .flatMap(([file, text]) => {
        const tokens = tokensOf(text);
        return tokens
          .filter((_token, index) => isBad(tokens, index))
          .map(({ line }) => ({ file, line, rule, advice }));
      });
}

function follows(tokens: readonly Token[], index: number, ...texts: readonly string[]): boolean {
  return texts.every((text, offset) => {
    const token = tokens[index + offset];
    return token?.text === text && token.kind !== 'string';
  });
}
