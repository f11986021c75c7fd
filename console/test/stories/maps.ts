import { expect, it } from 'vitest';
import { goTo } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';

/** The map with a tile server; continues in the session of the stories before. */
export function mapStory(filled: () => FilledConsole): void {
  it('shows the tiles of its part of the world with the attribution, and closer ones after a zoom', async () => {
    const { page, tiles } = filled();
    await goTo(page, '/locations?view=map');
    const map = page.getByRole('region', { name: 'Map of the Locations' });
    await map.getByText('© Example maps').waitFor();
    const pictures = map.locator('img');
    const areLoaded = () =>
      pictures.evaluateAll((all) =>
        all.every((each) => each instanceof HTMLImageElement && each.naturalWidth > 0),
      );
    await expect.poll(areLoaded).toBe(true);
    const zoomOf = async () =>
      Number(/tiles\/(\d+)\//.exec((await pictures.first().getAttribute('src')) ?? '')?.[1]);
    const before = await zoomOf();
    await map.getByRole('button', { name: 'Zoom in' }).click();
    await map.getByRole('button', { name: 'Zoom in' }).click();
    await expect.poll(zoomOf).toBeGreaterThan(before);
    expect([...tiles.requested].every((path) => /^\/tiles\/\d+\/\d+\/\d+\.png$/.test(path))).toBe(
      true,
    );
  });

  it('allows pictures of exactly that server in the policy of pages', async () => {
    const { world, tiles } = filled();
    const page = await fetch(world.server.url, { headers: { accept: 'text/html' } });
    const policy = page.headers.get('content-security-policy') ?? '';
    expect(policy).toContain(`img-src 'self' data: https: ${new URL(tiles.url).origin};`);
    expect(policy.split(new URL(tiles.url).origin)).toHaveLength(2);
  });
}
