import { mkdirSync, mkdtempSync, rmSync, writeFileSync } from 'node:fs';
import { tmpdir } from 'node:os';
import { join } from 'node:path';
import { afterAll, beforeAll, beforeEach, describe, expect, it } from 'vitest';
import { start, stopAfterEach } from '../../test/support/http.ts';
import { CONSOLE_PATHS } from './console.ts';

const SCRIPT = `console.log(${JSON.stringify('a'.repeat(2_000))})`;
stopAfterEach();

let directory: string;
let url: string;

beforeAll(async () => {
  directory = mkdtempSync(join(tmpdir(), 'fieldwatch-console-'));
  mkdirSync(join(directory, 'static'));
  mkdirSync(join(directory, '.vite'));
  writeFileSync(join(directory, 'index.html'), '<!doctype html><title>Console</title>');
  writeFileSync(join(directory, 'static/index-Ab12_cD-.js'), SCRIPT);
  writeFileSync(join(directory, 'theme.js'), '1;');
  writeFileSync(join(directory, '.vite/manifest.json'), '{}');
});

beforeEach(async () => {
  url = await start([], { consoleDir: directory });
});

afterAll(() => {
  rmSync(directory, { recursive: true });
});

const get = (path: string, headers: Record<string, string> = {}) => fetch(url + path, { headers });

describe('the console', () => {
  it('is at the root and at every address that is one of its pages', async () => {
    for (const path of ['/', ...CONSOLE_PATHS.flatMap((path) => [`/${path}`, `/${path}/a/b`])]) {
      const reply = await get(path);
      expect([path, reply.status, await reply.text()]).toEqual([
        path,
        200,
        '<!doctype html><title>Console</title>',
      ]);
      expect(reply.headers.get('cache-control')).toBe('no-cache');
      expect(reply.headers.get('content-security-policy')).toContain("default-src 'self'");
    }
  });

  it.each([
    '/primary',
    '/primary/v1/x/devices',
    '/auth/v1/none',
    '/data/v1/none',
    '/docs/none/none',
    '/static/index-other.js',
    '/index.html',
    '/.vite/manifest.json',
    '/devicesx',
    '/nonsense',
    '/..%2f..%2fpackage.json',
    '/static/..%2f..%2f..%2fpackage.json',
  ])('is not served at the unknown address %s', async (path) => {
    const reply = await get(path);
    expect(reply.status).toBe(404);
    expect(reply.headers.get('content-type')).toBe('application/problem+json; charset=utf-8');
  });

  it('is sent to a browser at an unknown address, with the status 404', async () => {
    const reply = await get('/nope', { accept: 'text/html,application/xhtml+xml,*/*;q=0.8' });
    expect([reply.status, await reply.text()]).toEqual([
      404,
      '<!doctype html><title>Console</title>',
    ]);
    expect(reply.headers.get('content-type')).toBe('text/html; charset=utf-8');
    expect(reply.headers.get('cache-control')).toBe('no-store');
  });

  it('lets browsers cache for ever files with a content hash in their names, and no others', async () => {
    const hashed = await get('/static/index-Ab12_cD-.js');
    expect(hashed.headers.get('cache-control')).toBe('public, max-age=31536000, immutable');
    expect(hashed.headers.get('content-type')).toBe('text/javascript; charset=utf-8');
    const plain = await get('/theme.js');
    expect(plain.headers.get('cache-control')).toBe('no-cache');
  });

  it('is sent again only when it changed', async () => {
    const first = await get('/');
    const etag = first.headers.get('etag') ?? '';
    const again = await get('/', { 'if-none-match': etag });
    expect([again.status, await again.text()]).toEqual([304, '']);
    expect((await get('/', { 'if-none-match': '"other"' })).status).toBe(200);
  });

  it.each([
    ['gzip, br', 'gzip'],
    ['br', null],
    ['gzip;q=0', null],
    ['identity', null],
  ])('to a browser that takes %s comes as %s', async (accepted, encoding) => {
    const reply = await get('/static/index-Ab12_cD-.js', { 'accept-encoding': accepted });
    expect(reply.headers.get('content-encoding')).toBe(encoding);
    expect(await reply.text()).toBe(SCRIPT);
  });

  it('has no pages where it was not built', async () => {
    const bare = await start([], { consoleDir: join(directory, 'none') });
    expect((await fetch(bare)).status).toBe(404);
  });
});
