import { execFileSync } from 'node:child_process';
import { mkdtempSync, readdirSync, readFileSync, rmSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join, posix } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { documented, substituted, words } from './support/documented-commands.ts';

const ROOT = fileURLToPath(new URL('../../', import.meta.url));
let folder: string;
let pages: ReadonlyMap<string, string>;

beforeAll(() => {
  folder = mkdtempSync(join(tmpdir(), 'fw-site-'));
  const build = documented('docs/running.md', 'node site/build.mjs');
  const [program = '', ...args] = words(substituted(build, [['/tmp/fieldwatch-docs', folder]]));
  execFileSync(program, args, { cwd: ROOT });
  const names = readdirSync(folder, { recursive: true, encoding: 'utf8' });
  pages = new Map(
    names
      .filter((name) => name.endsWith('.html'))
      .map((name) => [name.replaceAll('\\', '/'), readFileSync(join(folder, name), 'utf8')]),
  );
});

afterAll(() => rmSync(folder, { recursive: true }));

const anchorsIn = (html: string) =>
  new Set([...html.matchAll(/ id="([^"]+)"/g)].map(([, id]) => id));

/** The links of a page that lead to a page, or a place on one, that the site does not have. */
function brokenLinks(address: string, html: string): string[] {
  const links = [...html.matchAll(/<a [^>]*?href="([^"]+)"/g)].map(([, link]) => link as string);
  return links
    .filter((link) => !/^(?:https?|mailto):/.test(link))
    .filter((link) => {
      const [path = '', anchor] = link.split('#');
      const target = pages.get(path ? posix.join(posix.dirname(address), path) : address);
      return target === undefined || (anchor !== undefined && !anchorsIn(target).has(anchor));
    });
}

describe('the built documentation', () => {
  it('has a page for every document, with a title and one heading of the first level', () => {
    const documents = readdirSync(join(ROOT, 'docs'), { recursive: true, encoding: 'utf8' });
    const missing = documents
      .filter((name) => name.endsWith('.md'))
      .map((name) => name.replace('README.md', 'index.md').replace(/md$/, 'html'))
      .filter((name) => !pages.has(name));
    expect(missing).toEqual([]);
    for (const html of pages.values()) {
      expect(html).toMatch(/<title>\S.* – Fieldwatch<\/title>/);
      expect(html.match(/<h1 /g)).toHaveLength(1);
    }
  });

  it('has no link that leads nowhere', () => {
    const broken = [...pages].flatMap(([address, html]) =>
      brokenLinks(address, html).map((link) => `${address}: ${link}`),
    );
    expect(broken).toEqual([]);
  });

  it('has no script within a page, and no HTML of a document', () => {
    for (const html of pages.values()) {
      expect(html.match(/<script\b[^>]*>/g)).toEqual([
        expect.stringMatching(/ src="[./]+\/search\.js"/),
      ]);
      expect(html).not.toMatch(/<[^>]* on\w+=/);
    }
  });

  it('finds sections that exist', () => {
    const index = JSON.parse(readFileSync(join(folder, 'search.json'), 'utf8')) as {
      readonly title: string;
      readonly address: string;
      readonly words: string;
    }[];
    const lost = index.filter(
      ({ address }) => brokenLinks('index.html', `<a href="${address}">`).length,
    );
    expect(lost).toEqual([]);
    const names = index.filter(({ words }) => words.includes('mosquitto_pub'));
    expect(names.map(({ address }) => address)).toContain('tutorial.html#4-publish');
  });
});
