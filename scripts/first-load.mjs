// The size of the scripts that a browser loads before it shows a page: the entry, its static imports,
// and the page at `/`.
import { readFileSync } from 'node:fs';
import { join } from 'node:path';
import { pathToFileURL } from 'node:url';
import { gzipSync } from 'node:zlib';
import { fromRoot } from './run.mjs';

const LIMIT_KB = 300;
const FIRST_PAGE = 'src/overview/index.ts';

/** Every script that the named entries import, each once. */
export function filesOf(manifest, names) {
  const seen = new Set();
  const visit = (name) => {
    const chunk = manifest[name];
    if (!chunk) throw new Error(`the build has no ${name}`);
    if (seen.has(chunk.file)) return;
    seen.add(chunk.file);
    for (const imported of chunk.imports ?? []) visit(imported);
  };
  for (const name of names) visit(name);
  return [...seen].filter((file) => file.endsWith('.js'));
}

/** The problem with a first load of these sizes in bytes, if any. */
export function complaintOf(sizes, limitKb = LIMIT_KB) {
  const kb = sizes.reduce((sum, size) => sum + size, 0) / 1000;
  if (kb <= limitKb) return undefined;
  return `The console loads ${kb.toFixed(1)} kB of script (gzip) at first; ${limitKb} kB are the limit.`;
}

export function firstLoadSizes(dist) {
  const manifest = JSON.parse(readFileSync(join(dist, '.vite/manifest.json'), 'utf8'));
  return filesOf(manifest, ['index.html', FIRST_PAGE]).map(
    (file) => gzipSync(readFileSync(join(dist, file)), { level: 9 }).length,
  );
}

if (import.meta.url === pathToFileURL(process.argv[1]).href) {
  const sizes = firstLoadSizes(fromRoot('console/dist'));
  const complaint = complaintOf(sizes);
  const total = sizes.reduce((sum, size) => sum + size, 0);
  console.log(complaint ?? `First load: ${(total / 1000).toFixed(1)} kB of script (gzip).`);
  if (complaint) process.exitCode = 1;
}
