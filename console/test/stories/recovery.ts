import { expect, it } from 'vitest';
import { goTo } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';
import { pageActions } from '../support/journey.ts';

/** Pages that could not be loaded. Continues with a page that is signed in. */
export function recoveryStory(filled: () => FilledConsole): void {
  it('shows a page whose data could not be read after a retry, without a reload', async () => {
    const { page, fleet } = filled();
    const { button } = pageActions(page);
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
    let refusals = 0;
    const records = `**/assets/${fleet.assetId}`;
    await page.route(records, (route) => {
      refusals += 1;
      return route.fulfill({ status: 400, contentType: 'text/plain', body: 'no route' });
    });
    await goTo(page, `/assets/${fleet.assetId}`);
    await button('Try again').waitFor();
    await page.unroute(records);
    await button('Try again').click();
    await page.getByText('Rated kW').waitFor();
    expect(refusals).toBeGreaterThan(0);
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
  });

  it('shows a page whose script could not be loaded once the server is reachable', async () => {
    const { world, page } = filled();
    const fresh = await page.context().newPage();
    await fresh.goto('/devices');
    await fresh.getByText('Generator 1 controller').first().waitFor();
    world.network.disconnect();
    await fresh.getByRole('link', { name: 'Locations', exact: true }).click();
    await fresh.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    world.network.reconnect();
    await fresh.getByText('North plant').first().waitFor();
    await fresh.close();
  });

  it('shows a page whose script failed once while the server is reachable', async () => {
    const { page } = filled();
    const fresh = await page.context().newPage();
    await fresh.goto('/devices');
    await fresh.getByText('Generator 1 controller').first().waitFor();
    let refusals = 0;
    await fresh.route(/\/static\/locations[^/]*\.js$/, async (route) => {
      refusals += 1;
      await (refusals === 1 ? route.abort() : route.continue());
    });
    await goTo(fresh, '/locations');
    await fresh.getByText('North plant').first().waitFor();
    expect(refusals).toBeGreaterThan(0);
    await fresh.close();
  });
}
