// Prints the components of the package as CycloneDX 1.5: `node scripts/sbom.mjs > fieldwatch.cdx.json`.
// `npm sbom --omit dev` leaves out every package that another workspace has for its development.
import { createHash } from 'node:crypto';
import { readFileSync } from 'node:fs';
import { fromRoot } from './run.mjs';

/** The bundle contains the packages of the server, the console those of its own. */
const WORKSPACES = ['', 'contract', 'client', 'server', 'console'];
const ALGORITHMS = { sha1: 'SHA-1', sha256: 'SHA-256', sha512: 'SHA-512' };

/** Where the lock file has the package that `name` means at `path`: as Node finds it. */
function resolve(packages, path, name) {
  for (let folder = path; ; folder = folder.replace(/(?:^|\/)(?:node_modules\/)?[^/]*$/, '')) {
    const found = `${folder}${folder ? '/' : ''}node_modules/${name}`;
    if (packages[found]) return packages[found].link ? packages[found].resolved : found;
    if (folder === '') return null;
  }
}

function dependenciesOf(packages, path) {
  const { dependencies, optionalDependencies, peerDependencies } = packages[path];
  const names = Object.keys({ ...dependencies, ...optionalDependencies, ...peerDependencies });
  return names.map((name) => resolve(packages, path, name)).filter((found) => found !== null);
}

const nameOf = (path, entry) => entry.name ?? path.split('node_modules/').at(-1);

function purlOf(name, version) {
  return `pkg:npm/${name.replace('@', '%40')}@${version}`;
}

function hashesOf(integrity = '') {
  return integrity.split(' ').flatMap((each) => {
    const [algorithm, digest] = each.split(/-(.*)/s);
    const alg = ALGORITHMS[algorithm];
    return alg ? [{ alg, content: Buffer.from(digest, 'base64').toString('hex') }] : [];
  });
}

function componentOf(path, entry) {
  const [group, name] = nameOf(path, entry).split(/\/(.*)/s);
  const purl = purlOf(nameOf(path, entry), entry.version);
  return {
    'bom-ref': purl,
    type: 'library',
    ...(name ? { group, name } : { name: group }),
    version: entry.version,
    ...(entry.optional ? { scope: 'optional' } : {}),
    ...(entry.license ? { licenses: [{ expression: entry.license }] } : {}),
    ...(entry.integrity ? { hashes: hashesOf(entry.integrity) } : {}),
    purl,
  };
}

/** Every package that the workspaces need to run, by its place in the lock file. */
function reachable(packages) {
  const found = new Set(WORKSPACES);
  for (const path of found)
    for (const next of dependenciesOf(packages, path)) if (packages[next]) found.add(next);
  return [...found].filter((path) => path !== '').sort();
}

/** The document for a lock file, the same for the same lock file. */
export function bomOf({ name, version, packages }) {
  const refOf = (path) =>
    purlOf(path === '' ? name : nameOf(path, packages[path]), packages[path].version);
  const paths = reachable(packages);
  const byRef = new Map(paths.map((path) => [refOf(path), path]));
  const digest = createHash('sha256').update(JSON.stringify(packages)).digest('hex');
  const uuid = `${digest.slice(0, 8)}-${digest.slice(8, 12)}-5${digest.slice(13, 16)}-8${digest.slice(17, 20)}-${digest.slice(20, 32)}`;
  const dependsOn = (path) => [...new Set(dependenciesOf(packages, path).map(refOf))].sort();
  return {
    bomFormat: 'CycloneDX',
    specVersion: '1.5',
    serialNumber: `urn:uuid:${uuid}`,
    version: 1,
    metadata: {
      component: {
        'bom-ref': purlOf(name, version),
        type: 'application',
        name,
        version,
        purl: purlOf(name, version),
      },
    },
    components: [...byRef.values()].map((path) => componentOf(path, packages[path])),
    dependencies: [
      {
        ref: purlOf(name, version),
        dependsOn: [...new Set(WORKSPACES.flatMap(dependsOn))].sort(),
      },
      ...[...byRef].map(([ref, path]) => ({ ref, dependsOn: dependsOn(path) })),
    ],
  };
}

if (import.meta.filename === process.argv[1]) {
  const lock = JSON.parse(readFileSync(fromRoot('package-lock.json'), 'utf8'));
  console.log(JSON.stringify(bomOf(lock), null, 2));
}
