import { mkdir, mkdtemp, rm, writeFile } from 'node:fs/promises';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { send } from '../../test/support/call.ts';
import { start } from '../../test/support/http.ts';

let directory: string;
let url: string;

beforeAll(async () => {
  directory = await mkdtemp(join(tmpdir(), 'fw-guide-'));
  await mkdir(join(directory, 'adr'));
  await writeFile(join(directory, 'index.html'), '<h1>Introduction</h1>');
  await writeFile(join(directory, 'adr', '0001.html'), '<h1>Decision records</h1>');
  await writeFile(join(directory, 'search.js'), '// search');
  url = await start([], { guideDir: directory });
});

afterAll(() => rm(directory, { recursive: true }));

describe('the documentation at /docs/guide', () => {
  it('has its pages and files, with the headers of pages', async () => {
    const page = await send(url, 'GET', '/docs/guide/adr/0001.html');
    expect([page.status, page.text]).toEqual([200, '<h1>Decision records</h1>']);
    expect(page.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(page.headers.get('content-security-policy')).toContain("default-src 'self'");
    const script = await send(url, 'GET', '/docs/guide/search.js');
    expect(script.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
  });

  it('begins at the address with a slash, to which the one without leads', async () => {
    const moved = await send(url, 'GET', '/docs/guide');
    expect([moved.status, moved.headers.get('location')]).toEqual([302, '/docs/guide/']);
    expect((await send(url, 'GET', '/docs/guide/')).text).toBe('<h1>Introduction</h1>');
  });

  it('has no other addresses, and none where it is not built', async () => {
    expect((await send(url, 'GET', '/docs/guide/..%2Findex.html')).status).toBe(404);
    expect((await send(url, 'GET', '/docs/guide/none.html')).status).toBe(404);
    expect((await send(url, 'GET', '/docs/guide/index.html/')).status).toBe(404);
    const bare = await start([], { guideDir: join(directory, 'none') });
    expect((await send(bare, 'GET', '/docs/guide/')).status).toBe(404);
  });

  it('shows the console at an unknown address to a browser, where there is one', async () => {
    const consoleDir = join(directory, 'console');
    await mkdir(consoleDir);
    await writeFile(join(consoleDir, 'index.html'), '<title>Console</title>');
    const both = await start([], { guideDir: directory, consoleDir });
    const page = await fetch(`${both}/docs/guide/none.html`, { headers: { accept: 'text/html' } });
    expect([page.status, await page.text()]).toEqual([404, '<title>Console</title>']);
    expect((await send(both, 'GET', '/docs/guide/none.html')).status).toBe(404);
  });

  it('leaves the reference at /docs as it is', async () => {
    expect((await send(url, 'GET', '/docs/static/initializer.js')).status).toBe(200);
  });
});
