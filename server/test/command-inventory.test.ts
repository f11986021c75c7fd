import { existsSync, statSync } from 'node:fs';
import { join } from 'node:path';
import { describe, expect, it } from 'vitest';
import { ROOT, readDocuments, readTree } from './architecture/tree.ts';
import {
  callOf,
  commandsIn,
  type DocumentedCommand,
  inOneLine,
  isCallOf,
  matching,
  readPage,
  words,
} from './support/documented-commands.ts';

/*
 * Every command of every document is run by a test, or has a reason here. A test runs a command when
 * it reads it from its page: by documented(page, start), blocksIn(page, language) or callsIn(page).
 */

/** The commands that no test runs, by page and beginning, each with the reason. */
const EXCEPTIONS: readonly (readonly [page: string, start: string, reason: string])[] = [
  ['README.md', 'npm test', 'runs all tests, this one among them'],
  ['bench/README.md', 'npm run bench', 'measures for minutes, on a machine that does nothing else'],
  ['bench/README.md', 'npm run generate', 'writes files of the checkout; npm run check runs it'],
  ['docs/cli.md', 'fieldwatch start --new', 'starts what npm start -- --new does, which is run'],
  ['docs/configuration-as-code.md', 'export', 'sets variables, which the test has as its own'],
  ['docs/node-red.md', 'npm install node-red-contrib-fieldwatch', 'needs the registry of npm'],
  ['docs/proof.md', 'npm run torture', 'takes 5 to 60 minutes; the forms with --cut are run'],
  ['docs/proof.md', 'npm run hostile', 'takes an hour; npm test runs a short form of the test'],
  ['docs/proof.md', 'npm run test:partners', 'needs Alertmanager and Kannel'],
  ['docs/proof.md', 'npm run test:brokers', 'takes ten minutes, and needs RabbitMQ'],
  ['docs/proof.md', 'git clone', 'needs GitHub'],
  ['docs/proof.md', 'npm run foreign', 'needs a checkout of the suite, from GitHub'],
  ['docs/running.md', 'npx ./fieldwatch-', 'needs the registry of npm; a workflow runs it'],
  ['docs/running.md', 'npm install --global', 'needs the registry of npm, and installs for all'],
  ['docs/running.md', 'docker compose', 'needs Docker'],
  ['docs/running.md', 'docker build', 'needs Docker'],
  ['docs/running.md', 'docker run', 'needs Docker'],
  ['docs/running.md', 'npm install @opentelemetry', 'needs the registry of npm'],
  ['docs/running.md', 'OTEL_SERVICE_NAME=', 'needs the SDK that the page installs from npm'],
  ['docs/scaling.md', 'apt-get install', 'installs services on the machine'],
  ['docs/scaling.md', 'examples/cluster/', 'needs Patroni, etcd and HAProxy'],
  ['docs/scaling.md', 'node examples/cluster/fail-over.mjs', 'needs the cluster of the example'],
  ['docs/tutorial.md', 'export', 'sets variables, which the test has as its own'],
];

const documents = readDocuments();
const commands = [...documents.keys()].flatMap(commandsIn);

/** The sources of the tests, without this file. */
const tests = [...readTree().files].filter(
  ([path]) => /\/test\/|\.test\.ts$/.test(path) && !path.endsWith('/command-inventory.test.ts'),
);

/** The commands that a test reads from their pages. */
function readBy(source: string): DocumentedCommand[] {
  const of = (page = '') => commands.filter((command) => command.page === page);
  const single = [...source.matchAll(/\bdocumented\(\s*'([^']+)',\s*'([^']+)',?\s*\)/g)].flatMap(
    ([, page, start = '']) => {
      const found = matching(of(page), start);
      // Of several commands, none is the one that the test means.
      return new Set(found.map(({ text }) => text)).size === 1 ? found : [];
    },
  );
  const blocks = [...source.matchAll(/\bblocksIn\(\s*'([^']+)',\s*'(\w+)'\s*\)/g)].flatMap(
    ([, page, language]) => of(page).filter((command) => command.language === language),
  );
  const calls = [...source.matchAll(/\bcallsIn\(\s*'([^']+)'(?:,\s*\[([^\]]*)\])?\s*\)/g)].flatMap(
    ([, page, except]) => {
      const names = except?.match(/'[^']*'/g)?.map((name) => name.slice(1, -1)) ?? [];
      return of(page).filter(({ text }) => {
        const call = callOf(text);
        return call !== null && !names.some((name) => isCallOf(call, name));
      });
    },
  );
  return [...single, ...blocks, ...calls];
}

/** The text of each command that is run, and a test that runs it. The same text may be on two pages. */
const runners = new Map(
  tests.flatMap(([path, source]) => readBy(source).map(({ text }) => [text, path] as const)),
);
const exceptionsOf = ({ page, text }: DocumentedCommand) =>
  EXCEPTIONS.filter(([of, start]) => of === page && inOneLine(text).startsWith(start));
const named = ({ page, text }: DocumentedCommand) => `${page}: ${text}`;

describe('a command of the documents', () => {
  it('is run by a test, or is an exception with a reason', () => {
    expect(commands.length).toBeGreaterThan(100);
    const missing = commands.filter(
      (command) => !runners.has(command.text) && exceptionsOf(command).length === 0,
    );
    expect(missing.map(named)).toEqual([]);
  });

  it('is an exception only while no test runs it', () => {
    const needed = new Set(
      commands.filter(({ text }) => !runners.has(text)).flatMap((command) => exceptionsOf(command)),
    );
    expect(EXCEPTIONS.filter((exception) => !needed.has(exception))).toEqual([]);
  });
});

const manifest = JSON.parse(readPage('package.json')) as {
  readonly version: string;
  readonly scripts: Readonly<Record<string, string>>;
};
/** Where the options of a script are declared, if not in the script itself. */
const OPTIONS: Readonly<Record<string, readonly string[]>> = {
  'scripts/torture.mjs': ['server/test/torture/main.ts'],
  'scripts/simulate.mjs': ['simulator/src/flags.ts'],
  'scripts/start.mjs': ['simulator/src/demo/flags.ts'],
  'scripts/backup.mjs': ['server/src/cli/installation-commands.ts'],
  'scripts/lorawan-probe.mjs': ['server/src/cli/installation-commands.ts'],
};

/** Whether a source declares the option, for parseArgs or by its name. */
const declares = (path: string, option: string) =>
  new RegExp(`['"]?${option}['"]?: (?:\\{ type|flag\\()|'(?:--)?${option}'`).test(readPage(path));

const isFile = (path: string) => existsSync(join(ROOT, path));

/** What is wrong with a call of a script of the checkout. */
function scriptProblems(script: string, args: readonly string[]): string[] {
  if (!isFile(script)) return [`there is no ${script}`];
  // The benchmark passes options to its parts, such as `ingest:b`.
  const parts = args.map((arg) => `bench/${arg.split(':')[0]}.mjs`).filter(isFile);
  const sources = [script, ...(OPTIONS[script] ?? []), ...parts];
  return args
    .map((arg) => /^--([\w-]+)/.exec(arg)?.[1])
    .filter((option) => option !== undefined)
    .filter((option) => !sources.some((path) => declares(path, option)))
    .map((option) => `${script} has no option --${option}`);
}

/**
 * What is wrong with a call of a script or program of the checkout, as far as its text shows it. The
 * calls of `fieldwatch` have a test of their own, beside its commands.
 */
function problemsOf(command: string): string[] {
  const line = inOneLine(command).replace(/^(?:[A-Z_]+=(?:"[^"]*"|\S)* )+/, '');
  const [program = '', ...args] = words(line);
  if (program.startsWith('examples/')) {
    const isProgram = isFile(program) && (statSync(join(ROOT, program)).mode & 0o111) !== 0;
    return isProgram ? [] : [`${program} is no program`];
  }
  const [, path] = /^node ([\w.-]+\/[\w./-]+)/.exec(line) ?? [];
  if (path !== undefined) return scriptProblems(path, args.slice(1));
  const version = /fieldwatch-(\d.*)\.tgz/.exec(line)?.[1] ?? manifest.version;
  if (version !== manifest.version) return [`this is version ${manifest.version}`];
  const [, name] = /^npm (?:run )?(start|test|(?<=run )[\w:-]+)/.exec(line) ?? [];
  if (name === undefined) return [];
  const [, script] = /(\S+\.mjs)/.exec(manifest.scripts[name] ?? '') ?? [];
  if (manifest.scripts[name] === undefined) return [`there is no script ${name}`];
  return script === undefined ? [] : scriptProblems(script, args);
}

describe('a call of our own programs', () => {
  const inBlocks = commands.map(({ page, text }) => ({ page, text }));
  const inText = [...documents]
    .filter(([page]) => !/^docs\/adr\/|^bench\/results\/|^CHANGELOG/.test(page))
    .flatMap(([page, content]) =>
      [...content.matchAll(/`((?:[A-Z_]+=\S+ )*(?:npm|node) [^`\n]+)`/g)].map(([, text = '']) => ({
        page,
        text,
      })),
    );

  it('names a script that exists and options that it has, run or not', () => {
    expect(inText.length).toBeGreaterThan(50);
    const wrong = [...inBlocks, ...inText].flatMap(({ page, text }) =>
      problemsOf(text).map((problem) => `${page}: ${text}: ${problem}`),
    );
    expect(wrong).toEqual([]);
  });
});
