// Bundles the built server into a few files: Node resolves and links each of more than a thousand modules
// separately, which takes longer than the rest of a start. Run by `prepare.mjs` after the compiler.
import { cp, readFile, rm } from 'node:fs/promises';
import { createRequire } from 'node:module';
import { dirname, join, posix, relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { fromRoot } from './run.mjs';

const BUILT = fromRoot('server/dist/');
const BUNDLE = fromRoot('server/dist/bundle/');

/** The programs, and what tests compose a server from. */
const ENTRIES = {
  program: 'cli/program.js',
  main: 'cli/main.js',
  compose: 'compose/index.js',
  config: 'config.js',
  runtime: 'runtime/index.js',
  storage: 'storage/index.js',
};

/**
 * What worker threads load, under the names that the server gives them: each thread loads its own few
 * modules, and none of those that only the server needs.
 */
const WORKER_MODULES = {
  'readings/workers/worker.js': 'worker',
  'alarms/analysis/consumer.js': 'alarm-analysis',
  'readings/export/consumer.js': 'export',
  'codecs/sandbox/worker.js': 'codec',
  'ingest/mqtt/listener/worker.js': 'mqtt-connections',
};

/** These find files of their own package beside their modules, or are packages that those bring along. */
const EXTERNAL = [
  '@node-rs/argon2',
  '@jitl/quickjs-wasmfile-release-sync',
  'quickjs-emscripten-core',
  'yaml',
];

/** Of the package that brings Swagger UI, only these files are used: it would install two dozen others. */
const REFERENCE_PACKAGE = '@fastify/swagger-ui';
const REFERENCE_FILES = ['swagger-ui.css', 'swagger-ui-bundle.js', 'favicon-32x32.png'];

const PACKAGES = 'packages';
/** Only `fieldwatch mcp` loads these, so that no start of the server pays for them. */
const MCP_PACKAGES = 'mcp-packages';
const OF_MCP = /node_modules[\\/](?:@modelcontextprotocol|zod)[\\/]/;
const OWN_URL = /moduleBeside\(import\.meta\.url, '([^']+)'\)|import\.meta\.url/g;

/**
 * Loads a built module with the source map of the compiler. Its own URL remains the one before
 * bundling, so that what it finds beside itself (migrations, workers, the console) is still there.
 */
const builtModules = {
  name: 'built-modules',
  async load(id) {
    if (!id.startsWith(BUILT)) return null;
    const code = await readFile(id, 'utf8');
    const path = relative(BUNDLE, id).replaceAll(sep, '/');
    const own = `new URL('${path}', import.meta.url).href`;
    return {
      code: code.replaceAll(OWN_URL, (_, name) => (name ? bundledModule(id, name) : own)),
      map: await readFile(`${id}.map`, 'utf8'),
    };
  },
  /**
   * A stack trace names the sources of the server. Maps of the packages would cost memory at run time,
   * and so would a character beyond Latin-1: V8 would keep all of its file at two bytes per character.
   */
  generateBundle(_, files) {
    for (const name of [PACKAGES, MCP_PACKAGES]) delete files[`${name}.js.map`];
    for (const file of Object.values(files))
      if (file.type === 'chunk') file.code = escaped(file.code);
  },
};

const PG_STREAM = /node_modules[\\/]pg[\\/]lib[\\/]stream\.js$/;
const CLOUDFLARE_TEST = 'if (isCloudflareRuntime()) {';

/**
 * The driver of PostgreSQL asks whether it runs at Cloudflare by making a `Response`, for which Node loads
 * its whole `fetch`: 5 MB of a server, which otherwise needs it to sign in at an identity provider alone.
 */
const onlyNode = {
  name: 'only-node',
  async load(id) {
    if (!PG_STREAM.test(id)) return null;
    const code = await readFile(id, 'utf8');
    if (!code.includes(CLOUDFLARE_TEST)) throw new Error('pg asks in another way where it runs');
    return code.replace(CLOUDFLARE_TEST, 'if (false) {');
  },
};

/** The address of a module for worker threads: it is in the bundle, not beside the one that names it. */
function bundledModule(id, name) {
  const path = relative(BUILT, id).replaceAll(sep, '/');
  const bundled = WORKER_MODULES[posix.join(posix.dirname(path), `${name}.js`)];
  if (!bundled) throw new Error(`${path} names ${name}, which is no module of worker threads`);
  return `new URL('./workers/${bundled}.js', import.meta.url).href`;
}

/** In ASCII: an escape is the same character in a string, a template and a regular expression. */
function escaped(code) {
  const hex = (unit) => unit.charCodeAt(0).toString(16).padStart(4, '0');
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${hex(unit)}`);
}

async function write(input, directory) {
  const bundle = await rolldown({
    input,
    platform: 'node',
    external: EXTERNAL,
    plugins: [builtModules, onlyNode],
  });
  await bundle.write({
    dir: directory,
    format: 'esm',
    sourcemap: true,
    sourcemapExcludeSources: true,
    chunkFileNames: '[name].js',
    codeSplitting: {
      groups: [
        { name: MCP_PACKAGES, test: OF_MCP, priority: 1 },
        { name: PACKAGES, test: /node_modules/ },
      ],
    },
  });
  await bundle.close();
}

await rm(BUNDLE, { recursive: true, force: true });
await write(
  Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, BUILT + path])),
  BUNDLE,
);
await write(
  Object.fromEntries(Object.entries(WORKER_MODULES).map(([path, name]) => [name, BUILT + path])),
  `${BUNDLE}workers`,
);

const { resolve } = createRequire(fromRoot('server/package.json'));
for (const file of REFERENCE_FILES) {
  await cp(join(dirname(resolve(REFERENCE_PACKAGE)), 'static', file), `${BUNDLE}reference/${file}`);
}
