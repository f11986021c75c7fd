// Bundles the built server into a few files: Node resolves and links each of more than a thousand modules
// separately, which takes longer than the rest of a start. Run by `prepare.mjs` after the compiler.
import { readFile, rm } from 'node:fs/promises';
import { relative, sep } from 'node:path';
import { rolldown } from 'rolldown';
import { fromRoot } from './run.mjs';

const BUILT = fromRoot('server/dist/');
const BUNDLE = fromRoot('server/dist/bundle/');

/** The programs, and what tests compose a server from. */
const ENTRIES = {
  main: 'cli/main.js',
  backup: 'cli/backup.js',
  compose: 'compose/index.js',
  config: 'config.js',
  runtime: 'runtime/index.js',
  storage: 'storage/index.js',
};

/** These find files of their own package beside their modules. */
const EXTERNAL = ['@node-rs/argon2', '@fastify/swagger', '@fastify/swagger-ui'];

const PACKAGES = 'packages';

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
      code: code.replaceAll('import.meta.url', own),
      map: await readFile(`${id}.map`, 'utf8'),
    };
  },
  /**
   * A stack trace names the sources of the server. Maps of the packages would cost memory at run time,
   * and so would a character beyond Latin-1: V8 would keep all of its file at two bytes per character.
   */
  generateBundle(_, files) {
    delete files[`${PACKAGES}.js.map`];
    for (const file of Object.values(files))
      if (file.type === 'chunk') file.code = escaped(file.code);
  },
};

/** In ASCII: an escape is the same character in a string, a template and a regular expression. */
function escaped(code) {
  const hex = (unit) => unit.charCodeAt(0).toString(16).padStart(4, '0');
  return code.replaceAll(/[^\0-\x7f]/g, (unit) => `\\u${hex(unit)}`);
}

await rm(BUNDLE, { recursive: true, force: true });
const bundle = await rolldown({
  input: Object.fromEntries(Object.entries(ENTRIES).map(([name, path]) => [name, BUILT + path])),
  platform: 'node',
  external: EXTERNAL,
  plugins: [builtModules],
});
await bundle.write({
  dir: BUNDLE,
  format: 'esm',
  sourcemap: true,
  sourcemapExcludeSources: true,
  chunkFileNames: '[name].js',
  codeSplitting: { groups: [{ name: PACKAGES, test: /node_modules/ }] },
});
await bundle.close();
