import { existsSync, readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { notesOf } from './release-notes.mjs';
import { bomOf } from './sbom.mjs';

const read = (path: string) => readFileSync(new URL(`../${path}`, import.meta.url), 'utf8');

interface Manifest {
  readonly version: string;
  readonly engines?: { readonly node?: string };
  readonly workspaces?: readonly string[];
  readonly dependencies?: Readonly<Record<string, string>>;
}

const manifest = (path: string) => JSON.parse(read(`${path}package.json`)) as Manifest;
const lock = JSON.parse(read('package-lock.json')) as {
  readonly version: string;
  readonly packages: Readonly<Record<string, Manifest>>;
};
const { version, workspaces = [] } = manifest('');

it.each(workspaces)(
  'the package %s has the version of the release, and needs it of others',
  (name) => {
    const { version: own, dependencies = {} } = manifest(`${name}/`);
    const ours = Object.entries(dependencies).filter(([each]) => each.startsWith('@fieldwatch/'));
    expect([own, lock.version, lock.packages['']?.version, lock.packages[name]?.version]).toEqual([
      version,
      version,
      version,
      version,
    ]);
    expect(ours.filter(([, wanted]) => wanted !== version)).toEqual([]);
  },
);

it('the changelog has a dated section of the version', () => {
  expect(notesOf(read('CHANGELOG.md'), version)).not.toBe('');
});

it('the list of components has what CycloneDX 1.5 requires, and every package of the server and console', () => {
  const bom = bomOf(lock);
  expect(bom).toMatchObject({ bomFormat: 'CycloneDX', specVersion: '1.5', version: 1 });
  expect(bom.serialNumber).toMatch(/^urn:uuid:[0-9a-f]{8}(?:-[0-9a-f]{4}){3}-[0-9a-f]{12}$/);
  expect(bom.metadata.component).toMatchObject({
    type: 'application',
    name: 'fieldwatch',
    version,
  });
  for (const component of bom.components) {
    expect(component).toMatchObject({
      type: 'library',
      name: expect.stringMatching(/./),
      version: expect.stringMatching(/^\d/),
      purl: expect.stringMatching(/^pkg:npm\/.+@\d/),
    });
  }
  const refs = bom.components.map((component) => component['bom-ref']);
  expect(new Set(refs).size).toBe(refs.length);
  const known = new Set([bom.metadata.component['bom-ref'], ...refs]);
  const named = bom.dependencies.flatMap(({ ref, dependsOn }) => [ref, ...dependsOn]);
  expect(named.filter((ref) => !known.has(ref))).toEqual([]);
  const names = new Set(
    bom.components.map(({ group, name }) => (group ? `${group}/${name}` : name)),
  );
  const needed = ['', 'server/', 'console/'].flatMap((path) =>
    Object.keys(manifest(path).dependencies ?? {}),
  );
  expect(needed.filter((name) => !names.has(name))).toEqual([]);
  expect(['vitest', 'knip', 'axe-core'].filter((name) => names.has(name))).toEqual([]);
});

it('the workflow starts the package by a relative path, since npx runs an absolute one as a program', () => {
  const calls = read('.github/workflows/test.yml').match(/npx --yes \S+/g) ?? [];
  expect(calls).toEqual(['npx --yes ./fieldwatch-*.tgz']);
});

it('the image has the version of the release as its label', () => {
  const dockerfile = read('Dockerfile');
  expect(dockerfile).toMatch(/org\.opencontainers\.image\.version="\$\{VERSION\}"/);
  expect(dockerfile.match(/^ARG VERSION=(.*)$/m)?.[1]).toBe(version);
});

it.each(['release.yml', 'test.yml'])('the workflow %s runs only scripts that exist', (name) => {
  const workflow = read(`.github/workflows/${name}`);
  const scripts = Object.keys(
    (JSON.parse(read('package.json')) as { readonly scripts: object }).scripts,
  );
  const files = [...workflow.matchAll(/\bnode (\S+\.mjs)/g)].map(([, file = '']) => file);
  const commands = [...workflow.matchAll(/\bnpm (?:run )?(\S+)/g)].map(([, each = '']) => each);
  const own = commands.filter((each) => !['pack', 'publish', 'pkg'].includes(each));
  expect(files.filter((file) => !existsSync(new URL(`../${file}`, import.meta.url)))).toEqual([]);
  expect(own.filter((each) => !scripts.includes(each))).toEqual([]);
});

it('a release names its repository before it packs, since a package without one has no provenance', () => {
  const workflow = read('.github/workflows/release.yml');
  const steps = ['repository.url=', 'run: npm pack', 'npm publish --provenance'];
  const places = steps.map((step) => workflow.indexOf(step));
  expect(places).toEqual(places.filter((place) => place > 0).sort((a, b) => a - b));
});

it('the private key beside the compose files is kept out of commits and of the image', () => {
  expect(read('compose.nodes.yaml')).toContain('examples/compose/fullchain-and-key.pem');
  expect(read('.gitignore').split('\n')).toContain('*.pem');
  expect(read('.dockerignore').split('\n')).toContain('**/*.pem');
});

it('the package installs no package that needs a newer Node than it does', () => {
  const names = new Set(Object.keys(manifest('').dependencies ?? {}));
  const entryOf = (name: string) => lock.packages[`node_modules/${name}`];
  for (const name of names)
    for (const next of Object.keys(entryOf(name)?.dependencies ?? {})) names.add(next);
  const least = (node = '') => Number(/^>=? ?v?(\d+)/.exec(node)?.[1] ?? 0);
  const own = least(manifest('').engines?.node);
  expect(own).toBeGreaterThan(0);
  expect([...names].filter((name) => least(entryOf(name)?.engines?.node) > own)).toEqual([]);
});
