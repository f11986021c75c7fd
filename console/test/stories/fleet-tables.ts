import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { goTo } from '../support/console.ts';
import type { FleetJourney } from '../support/fleet-journey.ts';

/** Lists of many records: rows, columns, selection and saved views. */
export function fleetTablesStory(journey: () => FleetJourney): void {
  it('lists the silent Devices by one click, the longest silent first, and those of one site', async () => {
    const { page, fleet } = journey();
    await goTo(page, '/devices');
    await page.getByText('5,000 records').waitFor();
    await page
      .locator('label')
      .filter({ hasText: /^Offline$/ })
      .click();
    await page.getByText(`${fleet.silentCount} records`).waitFor();
    const lastSeen = page.getByRole('columnheader', { name: 'Last seen' });
    await expect.poll(() => lastSeen.getAttribute('aria-sort')).toBe('ascending');
    await page.getByRole('combobox', { name: 'Location' }).click();
    await page.getByRole('option', { name: 'Site 03' }).click();
    await page.getByText(/^[1-9] records$/).waitFor();
    expect(await page.getByText('Online', { exact: true }).count()).toBe(1);
  });

  it('finds the silent Devices by keyboard alone, sorts them and opens one', async () => {
    const { page, fleet } = journey();
    await goTo(page, '/devices');
    await page.getByText('5,000 records').waitFor();
    await page.getByRole('radio', { name: 'All', exact: true }).first().focus();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowRight');
    await page.getByText(`${fleet.silentCount} records`).waitFor();
    await page.getByRole('button', { name: 'Name', exact: true }).focus();
    await page.keyboard.press('Enter');
    await page.waitForURL(/sort=NAME/);
    const first = page.getByRole('row').nth(1).getByRole('link').first();
    await expect.poll(() => first.innerText()).toMatch(/^Battery/);
    const name = await first.innerText();
    await first.focus();
    await page.keyboard.press('Enter');
    await page.getByRole('heading', { name }).waitFor();
  });

  it('saves all silent Devices as CSV, not only those of the page', async () => {
    const { page, button, fleet } = journey();
    await goTo(page, '/devices?state=silent');
    await page.getByText(`${fleet.silentCount} records`).waitFor();
    const download = page.waitForEvent('download');
    await button('CSV').click();
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(fleet.silentCount + 1);
    expect(lines[1]).toContain('Offline');
  });

  it('moves selected Devices to another Location in one go', async () => {
    const { page, button } = journey();
    await goTo(page, '/devices?search=feeder%20000');
    // The list of before stays in view until the search has its result.
    await page.getByText('2 records', { exact: true }).waitFor();
    await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
    await button('Move to Location').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByRole('combobox', { name: 'Location' }).fill('Site 40');
    await page.getByRole('option', { name: 'Site 40' }).click();
    await button('Move', dialog).click();
    await page.getByText(/^Move to Location: \d done$/).waitFor();
    const rows = page.getByRole('row', { name: /Site 40/ });
    await expect.poll(() => rows.count()).toBeGreaterThan(0);
  });

  it('sorts and searches the Variables of a Device, both in the address, and saves them as CSV', async () => {
    const { page, button } = journey();
    await goTo(page, '/devices?search=feeder%20000');
    await page.getByText('2 records', { exact: true }).waitFor();
    await page.getByRole('row').nth(1).getByRole('link').first().click();
    const head = page.getByRole('columnheader', { name: 'Variable' });
    await button('Variable', head).click();
    await page.waitForURL(/sort=NAME/);
    await expect.poll(() => head.getAttribute('aria-sort')).toBe('ascending');
    const download = page.waitForEvent('download');
    await button('CSV').click();
    const [names = '', ...lines] = readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(names).toBe('Id,Variable,Path,Created,Type,Unit');
    const listed = lines.map((line) => line.split(',')[1] ?? '');
    expect(listed).toContain('Battery voltage');
    expect(listed).toEqual(listed.toSorted());
    await page.getByRole('searchbox', { name: 'Search Variables of this Device' }).fill('voltage');
    await page.waitForURL(/search=voltage/);
    await page.getByText('1 Variable', { exact: true }).waitFor();
  });

  it('opens a Device by a click anywhere on its row', async () => {
    const { page } = journey();
    await goTo(page, '/devices?search=generator%200005');
    await page
      .getByRole('row', { name: /Generator 0005/ })
      .getByText('Custom device')
      .click();
    await page.getByRole('heading', { name: 'Generator 0005' }).waitFor();
  });

  it('selects Devices one by one, as a range and all of a page by keyboard', async () => {
    const { page, button } = journey();
    await goTo(page, '/devices?search=generator');
    await page.getByText('1,000 records').waitFor();
    const boxes = page.getByRole('checkbox', { name: /^Select (Generator|all)/ });
    await boxes.nth(1).focus();
    await page.keyboard.press('Space');
    await page.getByText('1 selected').waitFor();
    await page.keyboard.press('Shift+ArrowDown');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('3 selected').waitFor();
    await page.keyboard.press('Control+a');
    await page.getByText('25 selected').waitFor();
    const first = () => boxes.nth(1).getAttribute('aria-label');
    const firstOfPage = await first();
    await button('Page 2').click();
    await expect.poll(first).not.toBe(firstOfPage);
    await boxes.nth(3).click();
    await boxes.nth(6).click({ modifiers: ['Shift'] });
    await page.getByText('29 selected').waitFor();
    await boxes.nth(6).press('Escape');
    await page.getByText('29 selected').waitFor({ state: 'detached' });
  });

  it('hides a column, and still hides it after a reload', async () => {
    const { page, button } = journey();
    const head = page.getByRole('columnheader', { name: 'Type' });
    await goTo(page, '/devices');
    await head.waitFor();
    await button('Select columns').click();
    await page.getByRole('checkbox', { name: 'Type' }).uncheck();
    await head.waitFor({ state: 'detached' });
    await page.reload();
    await page.getByRole('columnheader', { name: 'Last seen' }).waitFor();
    expect(await head.count()).toBe(0);
    await button('Select columns').click();
    await button('Default columns').click();
    await head.waitFor();
    await page.keyboard.press('Escape');
  });

  it('saves a view, renames it, opens it by default and deletes it', async () => {
    const { page, button } = journey();
    await goTo(page, '/devices?search=battery');
    await page.getByText('1,000 records').waitFor();
    await button('Views').click();
    await page.getByRole('menuitem', { name: 'Save this view' }).click();
    await page.getByRole('dialog').getByLabel('Name').fill('Batteries');
    await page.keyboard.press('Enter');
    await button('Batteries').click();
    await page.getByRole('menuitem', { name: 'Manage views' }).click();
    await button('Open by default: Batteries').click();
    await button('Rename: Batteries').click();
    await page.getByRole('dialog', { name: 'Rename the view' }).getByLabel('Name').fill('Cells');
    await page.keyboard.press('Enter');
    await page.getByText('Cells').last().waitFor();
    await page.keyboard.press('Escape');
    await goTo(page, '/variables');
    await page.getByRole('link', { name: 'Devices', exact: true }).first().click();
    await page.waitForURL(/search=battery/);
    await button('Cells').click();
    await page.getByRole('menuitem', { name: 'Manage views' }).click();
    await button('Delete: Cells').click();
    await page.keyboard.press('Escape');
    await button('Views').waitFor();
  });
}
