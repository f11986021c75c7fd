import { expect, it } from 'vitest';
import { goTo } from '../support/console.ts';
import type { FleetJourney } from '../support/fleet-journey.ts';

/** The overview of many sites. */
export function fleetOverviewStory(journey: () => FleetJourney): void {
  it('counts the whole fleet and lists the sites with alarms first', async () => {
    const { page, fleet } = journey();
    await goTo(page, '/');
    const summary = page.getByRole('region', { name: 'Summary' });
    const figure = (name: RegExp) => summary.getByRole('link', { name });
    await figure(new RegExp(`^Sites ?${fleet.siteCount}$`)).waitFor();
    await figure(new RegExp(`^Active alarms ?${fleet.alarmCount}$`)).waitFor();
    await figure(new RegExp(`^Offline Devices ?${fleet.silentCount}$`)).waitFor();
    const rows = page.getByRole('list', { name: 'Sites' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(25);
    await rows.first().getByText('Critical', { exact: true }).waitFor();
  });

  it('finds a site by name and by state, and keeps both in its address', async () => {
    const { page } = journey();
    await goTo(page, '/');
    const rows = page.getByRole('list', { name: 'Sites' }).getByRole('listitem');
    await page.getByRole('searchbox', { name: 'Search sites' }).fill('site 1');
    await page.getByText('10 sites', { exact: true }).waitFor();
    await page.getByText('In alarm', { exact: true }).click();
    await page.waitForURL(/search=site(\+|%20)1&state=alarm|state=alarm&search=site(\+|%20)1/);
    await expect.poll(() => rows.count()).toBeLessThan(10);
    await page.reload();
    await rows.first().waitFor();
    await expect.poll(() => rows.count()).toBeLessThan(10);
  });

  it('shows the sites of the next page, and the silent Devices of one of them', async () => {
    const { page, button } = journey();
    await goTo(page, '/');
    const rows = page.getByRole('list', { name: 'Sites' }).getByRole('listitem');
    await expect.poll(() => rows.count()).toBe(25);
    await button('Page 2').click();
    await expect.poll(() => rows.count()).toBe(15);
    await goTo(page, '/?state=silent');
    await page
      .getByRole('link', { name: /^\d offline Devices$/ })
      .first()
      .click();
    await page.waitForURL(/\/devices\?state=silent&locationId=/);
    await page.getByText(/^\d records$/).waitFor();
  });
}
