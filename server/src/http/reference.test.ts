import { expect, it } from 'vitest';
import { start, stopAfterEach } from '../../test/support/http.ts';

stopAfterEach();

it('the reference page and all files that it names are served', async () => {
  const url = await start([]);
  const page = await (await fetch(new URL('/docs', url))).text();
  const files = [...page.matchAll(/(?:src|href)="([^"]+)"/g)].map(([, path = '']) => path);
  expect(files.length).toBe(4);
  for (const file of files) {
    const answer = await fetch(new URL(file, url));
    expect([file, answer.status]).toEqual([file, 200]);
    expect((await answer.arrayBuffer()).byteLength).toBeGreaterThan(100);
  }
});
