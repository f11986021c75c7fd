import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { goTo, signIn } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';
import { pageActions } from '../support/journey.ts';

const NOT_LOADED = 'Failed to fetch dynamically imported module';

/** Pages that could not be loaded. Each test has a browser that has loaded only what it says. */
export function recoveryStory(filled: () => FilledConsole): void {
  async function withDevices(test: (page: Page) => Promise<void>): Promise<void> {
    const { world } = filled();
    const context = await world.newContext();
    const errorsBefore = world.browserErrors.length;
    try {
      const page = await context.newPage();
      await page.goto('/devices');
      await signIn(page, world.server.adminEmail, world.server.adminPassword);
      await page.getByText('Generator 1 controller').first().waitFor();
      await test(page);
    } finally {
      world.network.reconnect();
      await context.close();
    }
    // A script that does not load is what these tests cause; React may log it.
    const errors = world.browserErrors.splice(errorsBefore);
    expect(errors.filter((message) => !message.includes(NOT_LOADED))).toEqual([]);
  }

  it('shows a page whose data could not be read after a retry, without a reload', () =>
    withDevices(async (page) => {
      const { button } = pageActions(page);
      await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
      let refusals = 0;
      const records = `**/assets/${filled().fleet.assetId}`;
      await page.route(records, (route) => {
        refusals += 1;
        return route.fulfill({ status: 400, contentType: 'text/plain', body: 'no route' });
      });
      await goTo(page, `/assets/${filled().fleet.assetId}`);
      await button('Try again').waitFor();
      await page.unroute(records);
      await button('Try again').click();
      await page.getByText('Rated kW').waitFor();
      expect(refusals).toBeGreaterThan(0);
      expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
    }));

  it('shows a page whose script could not be loaded once the server is reachable', () =>
    withDevices(async (page) => {
      const { network } = filled().world;
      network.disconnect();
      await page.getByRole('link', { name: 'Locations', exact: true }).click();
      await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
      network.reconnect();
      await page.getByText('North plant').first().waitFor();
    }));

  it('shows a page whose script failed once while the server is reachable', () =>
    withDevices(async (page) => {
      let refusals = 0;
      await page.route(/\/static\/locations[^/]*\.js$/, async (route) => {
        refusals += 1;
        await (refusals === 1 ? route.abort() : route.continue());
      });
      await goTo(page, '/locations');
      await page.getByText('North plant').first().waitFor();
      expect(refusals).toBeGreaterThan(0);
    }));
}
