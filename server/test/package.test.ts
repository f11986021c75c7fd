import { readdirSync, readFileSync } from 'node:fs';
import { isBuiltin } from 'node:module';
import { expect, it } from 'vitest';

const ROOT = new URL('../../', import.meta.url);
const BUNDLE = new URL('server/dist/bundle/', ROOT);

interface Manifest {
  readonly version: string;
  readonly dependencies: Readonly<Record<string, string>>;
  readonly optionalDependencies: Readonly<Record<string, string>>;
}

const manifestIn = (folder: string) =>
  JSON.parse(readFileSync(new URL(`${folder}package.json`, ROOT), 'utf8')) as Manifest;

/** The packages that the bundled server imports by name, or whose files it finds by name. */
function importedPackages(): Set<string> {
  const files = readdirSync(BUNDLE, { recursive: true, encoding: 'utf8' });
  const names = files
    .filter((file) => file.endsWith('.js'))
    .map((file) => readFileSync(new URL(file, BUNDLE), 'utf8'))
    .flatMap((code) => [
      ...code.matchAll(/^(?:import|export)\b[^;]*?\bfrom "([^"./][^"]*)"/gm),
      ...code.matchAll(/\bdirname\(resolve\("([^"./][^"]*)"\)\)/g),
    ])
    .map(([, specifier = '']) => specifier)
    .filter((specifier) => !isBuiltin(specifier));
  return new Set(
    names.map((name) =>
      name
        .split('/')
        .slice(0, name[0] === '@' ? 2 : 1)
        .join('/'),
    ),
  );
}

it('the package depends on exactly what the bundled server imports, as the server does', () => {
  const [own, server] = [manifestIn(''), manifestIn('server/')];
  expect(new Set(Object.keys(own.dependencies))).toEqual(importedPackages());
  expect(server.dependencies).toMatchObject(own.dependencies);
  expect(own.optionalDependencies).toEqual(server.optionalDependencies);
  expect(own.version).toBe(server.version);
});

it.each([
  'Dockerfile',
  'compose.yaml',
  'compose.nodes.yaml',
  'examples/systemd/fieldwatch.service',
])('%s sets only settings that the server has', (file) => {
  const documented = readFileSync(new URL('docs/running.md', ROOT), 'utf8');
  const settings = readFileSync(new URL(file, ROOT), 'utf8').match(/\bFIELDWATCH_[A-Z_]+/g) ?? [];
  expect(settings.filter((name) => !documented.includes(`| \`${name}\` |`))).toEqual([]);
});

it('the systemd unit allows netlink, without which Node cannot list addresses and the start fails', () => {
  const unit = readFileSync(new URL('examples/systemd/fieldwatch.service', ROOT), 'utf8');
  const [, families = ''] = /^RestrictAddressFamilies=(.*)$/m.exec(unit) ?? [];
  expect(families.split(' ')).toEqual(['AF_UNIX', 'AF_INET', 'AF_INET6', 'AF_NETLINK']);
  expect(unit).not.toMatch(/^MemoryDenyWriteExecute=(?:yes|true|1|on)$/m);
});
