import { expect, it } from 'vitest';
import type { Journey } from '../support/journey.ts';

/** The console as an installed app, with its service worker. */
export function installedStory(journey: () => Journey): void {
  it('opens without a connection, from a cache that holds the shell and no reply of the API', async () => {
    const { world } = journey();
    const { adminEmail, adminPassword } = world.server;
    const context = await world.newContext({ serviceWorkers: 'allow' });
    const page = await context.newPage();
    await page.goto('/');
    await page.evaluate(async () => void (await navigator.serviceWorker.ready));
    await page.reload();
    await page.getByLabel('Email').fill(adminEmail);
    await page.getByLabel('Password', { exact: true }).fill(adminPassword);
    await page.getByRole('button', { name: 'Sign in', exact: true }).click();
    await page.getByRole('button', { name: 'Account' }).waitFor();
    const kept = await page.evaluate(async () => {
      const names = await caches.keys();
      const opened = await Promise.all(names.map((name) => caches.open(name)));
      const requests = await Promise.all(opened.map((cache) => cache.keys()));
      return requests.flat().map(({ url }) => new URL(url).pathname);
    });
    expect(kept).toContain('/');
    expect(kept.filter((path) => !/^\/(?:static\/.*|theme\.js|icon\.svg)?$/.test(path))).toEqual(
      [],
    );
    world.network.disconnect();
    await page.goto('/devices');
    await page.getByText('The server cannot be reached.').waitFor();
    world.network.reconnect();
    await context.close();
  });
}
