import { readFileSync } from 'node:fs';

/*
 * The commands of the documents. Tests read a command from its page, so that they run what is printed
 * there. server/test/command-inventory.test.ts finds these readings in the sources of the tests.
 */

export const ROOT = new URL('../../../', import.meta.url);

const FENCE = /^( *)```(\S*)\n(.*?)^\1```$/gms;
const SHELLS = ['sh', 'bash', 'shell', 'console', 'crontab'];
/** A block without a language is one of commands if a line of it begins with one of these programs. */
const PROGRAM =
  /^(?:[A-Z_]+=\S* )*(?:\$ |sudo )?(?:npm|npx|node|fieldwatch|curl|mosquitto_\w+|docker|apt(?:-get)?|git|psql|pg_\w+|openssl|tar|systemctl|journalctl|kubectl|make|cd|export) /m;
/** A call at the beginning of a command, or after settings, `npx` or `<(`. */
const CALL = /(?:^(?:[A-Z_]+=\S* )*(?:npx )?|<\()fieldwatch( [^\n>|)]*)?(?=$|[\n>|)])/m;
const SETTINGS = /^((?:[A-Z_]+=\S*\s+)*)/;

export interface Block {
  readonly language: string;
  readonly text: string;
}

export interface DocumentedCommand {
  readonly page: string;
  readonly language: string;
  /** As a shell takes it, over several lines where the page has several, without its comment. */
  readonly text: string;
}

export function readPage(page: string): string {
  return readFileSync(new URL(page, ROOT), 'utf8');
}

/** The fenced blocks of a page, without their indentation. */
export function fencesIn(text: string): Block[] {
  return [...text.matchAll(FENCE)].map(([, indent = '', language = '', content = '']) => ({
    language,
    text: content.replaceAll(new RegExp(`^${indent}`, 'gm'), ''),
  }));
}

function isCommands({ language, text }: Block): boolean {
  return SHELLS.includes(language) || (['', 'text'].includes(language) && PROGRAM.test(text));
}

/** What stands between quotes, a comment, or any other character. */
const PART = /\\[\s\S]|'[^']*'|"(?:\\.|[^"\\])*"|(?<=^|\s)#.*$|[\s\S]/gm;

/** The commands of a block: each a line, or several that a quote or a backslash connects. */
function commandsOf(text: string): string[] {
  const commands: string[] = [];
  let open = '';
  const close = () => {
    if (open.trim() !== '') commands.push(open.trim());
    open = '';
  };
  for (const [part] of text.matchAll(PART)) {
    if (part === '\n') close();
    else if (!part.startsWith('#')) open += part;
  }
  close();
  return commands;
}

export function commandsIn(page: string): DocumentedCommand[] {
  return fencesIn(readPage(page))
    .filter(isCommands)
    .flatMap(({ language, text }) =>
      commandsOf(text).map((command) => ({ page, language, text: command })),
    );
}

/** The whole blocks of commands of a page, marked with this language. */
export function blocksIn(page: string, language: string): string[] {
  return fencesIn(readPage(page))
    .filter((block) => block.language === language)
    .map(({ text }) => text);
}

/** In one line: without the backslashes that continue a command. */
export const inOneLine = (command: string) => command.replaceAll(/\\\n\s*/g, '');

/** The commands that are this text, or else those that begin with it, each in one line. */
export function matching<T extends { readonly text: string }>(
  commands: readonly T[],
  start: string,
): T[] {
  const exact = commands.filter(({ text }) => inOneLine(text) === start);
  return exact.length > 0
    ? exact
    : commands.filter(({ text }) => inOneLine(text).startsWith(start));
}

/** The command of the page that is this text, or else the only one that begins with it. */
export function documented(page: string, start: string): string {
  const found = new Set(matching(commandsIn(page), start).map(({ text }) => text));
  const [command] = found;
  if (command === undefined || found.size > 1) {
    throw new Error(`${page} has ${found.size} commands that begin with ${start}`);
  }
  return command;
}

/** The words of a call as a shell splits them. */
export function words(call: string): string[] {
  return [...call.matchAll(/'([^']*)'|"([^"]*)"|(\S+)/g)].map(
    ([, single, double, bare]) => single ?? double ?? bare ?? '',
  );
}

/** The settings before the program of a command, or of a line that has settings only. */
export function settingsOf(command: string): Record<string, string> {
  const [, settings = ''] = SETTINGS.exec(`${command} `) ?? [];
  return Object.fromEntries(
    words(settings).map((word) => word.split(/=(.*)/s).slice(0, 2) as [string, string]),
  );
}

/** The arguments of a call of `fieldwatch`; null where the command calls something else. */
export function callOf(command: string): string | null {
  const [found, call = ''] = CALL.exec(inOneLine(command)) ?? [];
  return found === undefined ? null : call.trim();
}

/** Whether the call is this one, or this command with arguments of any kind. */
export const isCallOf = (call: string, name: string) =>
  call === name || (name !== '' && call.startsWith(`${name} `));

/** The arguments of the calls of `fieldwatch` in the commands of a page, except for those named. */
export function callsIn(page: string, except: readonly string[] = []): string[] {
  return commandsIn(page)
    .map(({ text }) => callOf(text))
    .filter((call) => call !== null)
    .filter((call) => !except.some((name) => isCallOf(call, name)));
}

/** What a page has for an example, and what the test has in its place. */
export type Substitutions = readonly (readonly [example: string, own: string])[];

/** The command with the values of the test; every other character is that of the page. */
export function substituted(command: string, substitutions: Substitutions): string {
  return substitutions.reduce((text, [example, own]) => text.replaceAll(example, own), command);
}

/** What npm runs for a command of a page. Without npm it takes half a second of processor time less. */
export function withoutNpm(command: string): string {
  const { scripts } = JSON.parse(readPage('package.json')) as { scripts: Record<string, string> };
  return command.replace(
    /\bnpm (?:run )?([\w:]+)(?: --(?= ))?/,
    (_, name: string) => scripts[name] ?? `npm has no script ${name}`,
  );
}
