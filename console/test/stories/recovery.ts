import type { Page } from 'playwright-core';
import { afterAll, afterEach, beforeAll, expect, it } from 'vitest';
import { goTo, signIn } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';
import { pageActions } from '../support/journey.ts';

const NOT_LOADED = 'Failed to fetch dynamically imported module';
const MAP_SCRIPT = /\/static\/maps[^/]*\.js$/;

/** Pages that could not be loaded, in a browser that has loaded none of them before. */
export function recoveryStory(filled: () => FilledConsole): void {
  let page: Page;
  let errorsBefore: number;

  beforeAll(async () => {
    const { world } = filled();
    errorsBefore = world.browserErrors.length;
    page = await (await world.newContext()).newPage();
    await page.goto('/devices');
    await signIn(page, world.server.adminEmail, world.server.adminPassword);
    await page.getByText('Generator 1 controller').first().waitFor();
  });

  afterAll(() => page?.context().close());

  // A script that does not load is what these tests cause; React may log it.
  afterEach(() => {
    const errors = filled().world.browserErrors.splice(errorsBefore);
    expect(errors.filter((message) => !message.includes(NOT_LOADED))).toEqual([]);
  });

  it('shows a page whose data could not be read after a retry, without a reload', async () => {
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
  });

  it('shows a page whose script could not be loaded once the server is reachable', async () => {
    const { network } = filled().world;
    network.disconnect();
    try {
      await page.getByRole('link', { name: 'Dashboards', exact: true }).click();
      await page.getByRole('heading', { name: 'This page could not be loaded' }).waitFor();
    } finally {
      network.reconnect();
    }
    await page.getByText('Plant room').first().waitFor();
  });

  it('shows a page whose script failed once while the server is reachable', async () => {
    let refusals = 0;
    await page.route(/\/static\/locations[^/]*\.js$/, async (route) => {
      refusals += 1;
      await (refusals === 1 ? route.abort() : route.continue());
    });
    await goTo(page, '/locations');
    await page.getByText('North plant').first().waitFor();
    expect(refusals).toBeGreaterThan(0);
  });

  it('shows a page without the part whose script is missing on the server, and offers a reload', async () => {
    const { button } = pageActions(page);
    await page.route(MAP_SCRIPT, (route) => route.fulfill({ status: 404 }));
    await goTo(page, '/locations?view=map');
    await page.getByText('This part of the page could not be loaded').waitFor();
    await page.getByRole('heading', { name: 'Locations' }).waitFor();
    await page.unroute(MAP_SCRIPT);
    await button('Reload the page').click();
    await page.getByRole('region', { name: 'Map of the Locations' }).waitFor();
  });

  it('shows a part whose script could not be loaded once the server is reachable, without a reload', async () => {
    const { network } = filled().world;
    await goTo(page, '/locations');
    await page.reload();
    await page.getByText('North plant').first().waitFor();
    await page.evaluate(() => Object.assign(window, { isSameDocument: true }));
    network.disconnect();
    try {
      await page.getByText('Map', { exact: true }).click();
      await page.getByText('The server cannot be reached').waitFor();
    } finally {
      network.reconnect();
    }
    await page.getByRole('region', { name: 'Map of the Locations' }).waitFor();
    expect(await page.evaluate(() => 'isSameDocument' in window)).toBe(true);
  });
}
