import { readFileSync } from 'node:fs';
import { operations } from '@fieldwatch/contract';
import { expect, it } from 'vitest';
import { rowsIn } from '../../../server/test/support/database.ts';
import { goTo } from '../support/console.ts';
import type { FleetJourney } from '../support/fleet-journey.ts';

/** More are not sorted in the browser. */
const MAX_SORTED = 1_000;

const FOLDERS = `insert into variable_folders (organization_id, id, name, name_folded, created_at,
    updated_at)
  select $1, gen_random_uuid(), 'Folder ' || n, 'folder ' || n, now(), now()
  from generate_series($2::int, $3::int) n`;

/** Lists that the server pages, newest first, and that the browser sorts where they are short. */
export function listsStory(journey: () => FleetJourney): void {
  const firstCell = () => journey().page.getByRole('row').nth(1).getByRole('link').first();

  it('sorts Locations by name in the browser, page by page, and exports them in that order', async () => {
    const { page, button, fleet } = journey();
    await goTo(page, '/locations');
    await page.getByText(`${fleet.siteCount} records`).waitFor();
    await expect.poll(() => firstCell().innerText()).toBe('Site 01');
    await button('Name').click();
    await button('Name').click();
    await page.waitForURL(/sort=-NAME/);
    await expect.poll(() => firstCell().innerText()).toBe('Site 40');
    await button('Page 2').click();
    await expect.poll(() => firstCell().innerText()).toBe('Site 15');
    const download = page.waitForEvent('download');
    await button('CSV').click();
    const lines = readFileSync(await (await download).path(), 'utf8')
      .trim()
      .split('\r\n');
    expect(lines).toHaveLength(fleet.siteCount + 1);
    expect(lines[1]).toContain('Site 40');
    await page.reload();
    await expect.poll(() => firstCell().innerText()).toBe('Site 15');
  });

  it('sorts Locations by the severity of their alarms, the most severe first', async () => {
    const { page, button } = journey();
    await goTo(page, '/locations');
    await button('State').click();
    const heads = page.getByRole('columnheader', { name: 'State' });
    await expect.poll(() => heads.getAttribute('aria-sort')).toBe('descending');
    const row = page.getByRole('row').nth(1);
    await expect.poll(() => row.innerText()).not.toContain('No active alarms');
  });

  it('leads from an alarm group to its Alarms, and back to the list of all', async () => {
    const { page, button, fleet } = journey();
    await goTo(page, '/administration/alarm-groups');
    await page.getByRole('link', { name: 'Operators' }).click();
    await page.waitForURL(/configurations\?groupId=/);
    await page.getByText(`${fleet.alarmCount} records`).waitFor();
    await button('Severity').click();
    await page.waitForURL(/sort=-SEVERITY/);
  });

  it('disables, groups and archives selected Alarms in one go', async () => {
    const { page, button, world } = journey();
    const { call } = world.server;
    const { body: found } = await call(operations.searchAlarms, { body: { take: 1 } });
    const { deviceId, deviceVariableId, alarmGroupId } = found.items[0];
    const terms = { deviceId, deviceVariableId, alarmGroupId, operator: 'LESS_THAN' };
    for (const name of ['Spare A', 'Spare B']) {
      const body = { ...terms, name, isActive: true, thresholdValueNumber: 0, severity: 'LOW' };
      const made = await call(operations.createAlarm, {
        body: { ...body, isAcknowledgeable: true },
      });
      expect(made.status).toBe(201);
    }
    const act = async (action: string, title: string, confirm = action) => {
      await page.getByRole('checkbox', { name: 'Select all on this page' }).check();
      await button(action, page.getByRole('region', { name: 'Selection' })).click();
      await button(confirm, page.getByRole('dialog', { name: title })).click();
      await page.getByText(`${action}: 2 done`).waitFor();
    };
    await goTo(page, '/alarms/configurations?search=spare');
    await page.getByText('2 records', { exact: true }).waitFor();
    await act('Disable', 'Disable 2 Alarms?');
    await act('Set alarm group', 'Alarm group of 2 Alarms', 'Save');
    const changed = await call(operations.searchAlarms, { body: { search: 'spare' } });
    expect(changed.body.items).toMatchObject(
      Array.from({ length: 2 }, () => ({ isActive: false, alarmGroupId: null })),
    );
    await act('Archive', 'Archive 2 Alarms?');
    await page.getByText('No results').waitFor();
  });

  it('shows the map without pictures of other servers, where no tile server is set', async () => {
    const { page, world } = journey();
    await goTo(page, '/locations?view=map');
    const map = page.getByRole('region', { name: 'Map of the Locations' });
    await map.getByRole('link', { name: 'Site 01' }).waitFor({ state: 'attached' });
    expect(await map.locator('img').count()).toBe(0);
    const { headers } = await fetch(world.server.url, { headers: { accept: 'text/html' } });
    expect(headers.get('content-security-policy')).toContain("img-src 'self' data: https:;");
  });

  it('offers the order of a list up to 1,000 records, and not of a longer one', async () => {
    const { page, button, world } = journey();
    const { databaseUrl, organizationId } = world.server;
    await rowsIn(databaseUrl, FOLDERS, [organizationId, 1, MAX_SORTED]);
    await goTo(page, '/administration/folders?sort=-NAME');
    await page.getByText('1,000 records').waitFor();
    await expect.poll(() => firstCell().innerText()).toBe('Folder 1000');
    await rowsIn(databaseUrl, FOLDERS, [organizationId, MAX_SORTED + 1, MAX_SORTED + 1]);
    await page.reload();
    await page.getByText('1,001 records').waitFor();
    await expect.poll(() => page.getByRole('row').count()).toBe(26);
    expect(await button('Name').count()).toBe(0);
  });

  it('leads from a record to its history, with sign-ins apart from changes', async () => {
    const { page } = journey();
    await goTo(page, '/locations?sort=NAME');
    await firstCell().click();
    await page.getByRole('button', { name: 'Edit' }).click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Address').fill('Mill lane 1');
    await dialog.getByRole('button', { name: 'Save' }).click();
    await dialog.waitFor({ state: 'detached' });
    await page.getByRole('link', { name: 'History', exact: true }).click();
    await page.getByText('History of').waitFor();
    await page.getByText('Station road 1').waitFor();
    await page.getByText('1 record', { exact: true }).waitFor();
    await page.getByRole('button', { name: 'All changes' }).click();
    await page.waitForURL(/audit-log$/);
    expect(await page.getByText('Sign in', { exact: true }).count()).toBe(0);
    await page.getByText('Sign-ins', { exact: true }).click();
    await page.getByText('Sign in', { exact: true }).first().waitFor();
    expect(await page.getByText('Edit a Location').count()).toBe(0);
  });

  it('adds a webhook for Telegram, with the fields that this format needs', async () => {
    const { page, button } = journey();
    await goTo(page, '/administration/webhooks');
    await button('Add webhook').first().click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Name').fill('Night shift');
    expect(await dialog.getByLabel('Chat id').count()).toBe(0);
    await dialog.getByRole('combobox', { name: 'Format' }).click();
    await page.getByRole('option', { name: 'Telegram' }).click();
    expect(await dialog.getByLabel('URL').inputValue()).toBe('https://api.telegram.org');
    await dialog.getByLabel('Chat id').fill('-1001234');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.getByText('is required for the format TELEGRAM').waitFor();
    await dialog.getByLabel('Token of the bot').fill('12:AbC');
    await dialog.getByRole('button', { name: 'Create' }).click();
    await dialog.waitFor({ state: 'detached' });
    const row = page.getByRole('row').filter({ hasText: 'Night shift' });
    await row.getByText('Telegram', { exact: true }).waitFor();
  });
}
