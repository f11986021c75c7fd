// Bundles a program of server/test with its packages into one file. Node loads that in a quarter of the
// time that it takes to transform and link its several hundred modules one by one.
import { readFile } from 'node:fs/promises';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { rolldown } from 'rolldown';
import { fromRoot } from './run.mjs';

const TESTS = fromRoot('server/test/');
/** Modules that the bundle of the server offers to tests. */
const OF_SERVER = /\/src\/(runtime|storage)\/index\.ts$/;

const testModules = {
  name: 'test-modules',
  resolveId(source) {
    const name = OF_SERVER.exec(source)?.[1];
    if (name === undefined) return null;
    const { href } = pathToFileURL(fromRoot(`server/dist/bundle/${name}.js`));
    return { id: href, external: true };
  },
  /** A module's own URL remains the one before bundling, so that it finds the files beside itself. */
  async load(id) {
    if (!id.startsWith(TESTS)) return null;
    const code = await readFile(id, 'utf8');
    return code.replaceAll('import.meta.url', JSON.stringify(pathToFileURL(id).href));
  },
};

/** Answers with the path of the file, which is this process's own; the caller removes it. */
export async function bundleTest(path) {
  const file = fromRoot(`.build/test-${process.pid}.mjs`);
  const input = join(TESTS, path);
  const bundle = await rolldown({ input, platform: 'node', plugins: [testModules] });
  await bundle.write({ file, format: 'esm', codeSplitting: false });
  await bundle.close();
  return file;
}
