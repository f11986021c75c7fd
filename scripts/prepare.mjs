// Prepares a checkout to run: installs dependencies and builds sources. Does nothing, and writes nothing,
// when both are up to date.
import { createHash } from 'node:crypto';
import { existsSync, readdirSync, readFileSync, rmSync, writeFileSync } from 'node:fs';
import { createRequire } from 'node:module';
import { totalmem } from 'node:os';
import { basename, join } from 'node:path';
import { withLock } from './lock.mjs';
import { fromRoot, node, run } from './run.mjs';

const INSTALL_LIMIT_MS = 10 * 60_000;
const BUILD_LIMIT_MS = 5 * 60_000;
const PACKAGES = ['contract', 'client', 'server', 'simulator'];
const CONSOLE_FILES = [
  'package.json',
  'tsconfig.json',
  'vite.config.ts',
  'call-facts.ts',
  'index.html',
].map((name) => `console/${name}`);

export const tsc = fromRoot('node_modules/typescript/bin/tsc');
/**
 * Each checker of the compiler resolves the types of all files that its own share refers to. Four of
 * them, the default, take over twice the processor time of one, and longer on two cores.
 */
export const ONE_CHECKER = ['--checkers', '1'];
/**
 * The compiler ends after a few seconds: where there is memory, it collects no garbage before it has
 * allocated this much, which saves a quarter of its processor time.
 */
export const COMPILER_ENV = totalmem() >= 8 * 1024 ** 3 ? { GOGC: 'off', GOMEMLIMIT: '2GiB' } : {};

/** True when the checkout is ready; false after it has printed the reason. */
export async function prepare() {
  try {
    if (isInstalled() && isBuilt()) return true;
    return await withLock(
      async () => (isInstalled() || (await install())) && (isBuilt() || build()),
    );
  } catch (error) {
    return complain('', `The checkout could not be made ready: ${error.message}`);
  }
}

/** Bundles what the compiler has built by now. False after it has printed why it could not. */
export async function bundle() {
  return isPartBuilt(BUNDLE) || (await withLock(() => buildMissing(BUNDLE)));
}

/**
 * Compares the lock file with npm's own record of what it installed into node_modules. npm writes the
 * record last, so an interrupted install has none. A node_modules of another platform lacks our
 * platform's packages. One that was installed by `npm ci` is recognized too.
 */
function isInstalled() {
  const record = fromRoot('node_modules/.package-lock.json');
  if (!existsSync(record)) return false;
  const wanted = JSON.parse(readFileSync(fromRoot('package-lock.json'), 'utf8')).packages;
  const present = JSON.parse(readFileSync(record, 'utf8')).packages;
  return Object.entries(wanted).every(
    ([path, entry]) =>
      !path.startsWith('node_modules/') ||
      isForeign(entry) ||
      (present[path]?.version === entry.version &&
        present[path]?.integrity === entry.integrity &&
        existsSync(fromRoot(path))),
  );
}

/**
 * True for packages that npm omits on this platform, or may omit: it also checks the C library,
 * and a package without a platform of its own may be needed by packages of other platforms alone.
 */
function isForeign({ optional, os, cpu, libc }) {
  if (!optional) return false;
  const hasPlatform = Boolean(os ?? cpu);
  return (
    !hasPlatform || Boolean(libc) || !allows(os, process.platform) || !allows(cpu, process.arch)
  );
}

function allows(list, value) {
  if (!list) return true;
  const refused = list.filter((item) => item.startsWith('!'));
  return refused.length > 0 ? !refused.includes(`!${value}`) : list.includes(value);
}

async function install() {
  console.error('Installing dependencies, about half a minute the first time …');
  const [command, ...first] = npm();
  // The build needs the development packages and the server the optional ones, whatever the
  // environment says. No package here needs an install script.
  const flags = ['--ignore-scripts', '--include=dev', '--include=optional', '--no-audit'];
  const { ok, output } = await run(command, [...first, 'ci', ...flags, '--no-fund'], {
    limitMs: INSTALL_LIMIT_MS,
  });
  return ok || complain(output, 'The dependencies could not be installed; npm says why above.');
}

/** The npm that runs this script, or the one on the path. */
function npm() {
  const current = process.env.npm_execpath;
  if (current && /^npm-cli\.c?js$/.test(basename(current))) return [process.execPath, current];
  return process.platform === 'win32' ? ['cmd.exe', '/d', '/s', '/c', 'npm'] : ['npm'];
}

/** The server as `npm start` runs it, in a few files that are made from its built modules. */
const BUNDLE = {
  name: 'bundle',
  inputs: () => [
    'package-lock.json',
    'scripts/bundle.mjs',
    ...['contract', 'server'].flatMap(builtModulesOf),
  ],
  outputs: () => filesIn('server/dist/bundle'),
  command: () => [fromRoot('scripts/bundle.mjs')],
  complaint: 'The server could not be bundled; see above.',
};

const MODULES = {
  name: 'packages',
  inputs: packageInputs,
  outputs: () => PACKAGES.flatMap(builtModulesOf),
  // Forced, because tsc compares file times.
  command: () => [tsc, '-b', '--force', ...ONE_CHECKER],
  complaint: 'The sources could not be built; the compiler says why above.',
};

/** What is made from the modules; none of these needs another one. */
const PRODUCTS = [
  BUNDLE,
  {
    name: 'console',
    inputs: () => [
      ...CONSOLE_FILES,
      ...['src', 'public'].flatMap((folder) => filesIn(`console/${folder}`).filter(isNoTest)),
      ...packageInputs(['contract', 'client']),
    ],
    outputs: () => filesIn('console/dist'),
    command: () => [vite(), 'build', 'console', '--logLevel', 'warn'],
    complaint: 'The console could not be built; see above.',
  },
  {
    name: 'site',
    inputs: () => [
      'package-lock.json',
      'console/src/design/tokens.ts',
      ...filesIn('site').filter((path) => !path.startsWith('site/dist/')),
      ...['.', 'bench', 'client'].flatMap(documentsIn),
      ...filesIn('docs').filter((path) => path.endsWith('.md')),
    ],
    outputs: () => filesIn('site/dist'),
    command: () => [fromRoot('site/build.mjs')],
    complaint: 'The documentation could not be built; see above.',
  },
];

/**
 * By content, not by time: a checkout or a copy changes times without changing sources. The outputs
 * count too, since a build by hand or by `npm run dev` replaces them.
 */
function isBuilt() {
  return [MODULES, ...PRODUCTS].every(isPartBuilt);
}

function isPartBuilt({ name, inputs, outputs }) {
  const stamp = stampOf(name);
  if (!existsSync(stamp)) return false;
  return readFileSync(stamp, 'utf8') === `${hashOf(inputs())} ${hashOf(outputs())}`;
}

function stampOf(name) {
  return fromRoot(`.build/built-${name}`);
}

async function build() {
  console.error('Building …');
  if (!(await buildMissing(MODULES))) return false;
  return (await Promise.all(PRODUCTS.map(buildMissing))).every((isBuilt) => isBuilt);
}

async function buildMissing(part) {
  return isPartBuilt(part) || (await buildPart(part));
}

async function buildPart({ name, inputs, outputs, command, complaint }) {
  const sources = hashOf(inputs());
  rmSync(stampOf(name), { force: true });
  // Set elsewhere, it would put the development build of React into the console.
  const env = { NODE_ENV: 'production', ...COMPILER_ENV };
  const { ok, output } = await node(command(), { limitMs: BUILD_LIMIT_MS, env });
  if (!ok) return complain(output, complaint);
  writeFileSync(stampOf(name), `${sources} ${hashOf(outputs())}`);
  return true;
}

/** The version of the console's package: another one may lie at the root for vitest. */
export function vite() {
  const require = createRequire(fromRoot('console/package.json'));
  return join(require.resolve('vite/package.json'), '../bin/vite.js');
}

function packageInputs(packages = PACKAGES) {
  return [
    'package-lock.json',
    'tsconfig.json',
    'tsconfig.base.json',
    ...packages.flatMap((name) => [
      `${name}/package.json`,
      `${name}/tsconfig.json`,
      ...sourcesOf(name).map((path) => `${name}/src/${path}`),
    ]),
  ];
}

function filesIn(folder) {
  if (!existsSync(fromRoot(folder))) return [];
  return readdirSync(fromRoot(folder), { recursive: true, withFileTypes: true })
    .filter((entry) => entry.isFile())
    .map((entry) => join(entry.parentPath, entry.name).slice(fromRoot().length))
    .sort();
}

function documentsIn(folder) {
  return readdirSync(fromRoot(folder))
    .filter((name) => name.endsWith('.md'))
    .sort()
    .map((name) => join(folder, name));
}

function isNoTest(path) {
  return !/\.test\.tsx?$/.test(path);
}

function hashOf(paths) {
  const hash = createHash('sha256');
  for (const path of paths) {
    const file = fromRoot(path);
    const content = existsSync(file) ? readFileSync(file) : 'absent';
    hash.update(`${path} ${content.length}\n`).update(content);
  }
  return hash.digest('hex');
}

/** The sources that the build compiles: all but the tests. */
function sourcesOf(name) {
  return readdirSync(fromRoot(name, 'src'), { recursive: true })
    .filter((path) => path.endsWith('.ts') && !path.endsWith('.test.ts'))
    .sort();
}

function builtModulesOf(name) {
  return sourcesOf(name).map((path) => `${name}/dist/${path.replace(/ts$/, 'js')}`);
}

function complain(output, sentence) {
  if (output) console.error(`${output.trimEnd()}\n`);
  console.error(sentence);
  return false;
}
