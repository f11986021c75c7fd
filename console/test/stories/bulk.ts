import { operations } from '@fieldwatch/contract';
import { expect, it } from 'vitest';
import { seriousViolationsOf } from '../support/axe.ts';
import { goTo } from '../support/console.ts';
import type { FleetJourney } from '../support/fleet-journey.ts';
import { handOf } from '../support/hands.ts';

/** Actions on many records at once, with records that exist only here. */
export function bulkStory(journey: () => FleetJourney): void {
  const bar = () => journey().page.getByRole('region', { name: 'Selection' });
  const selectAll = () =>
    journey().page.getByRole('checkbox', { name: 'Select all on this page' }).check();

  it('reports which of the selected folders could not be moved and why, and keeps them selected, by keyboard alone', async () => {
    const { page, button, world } = journey();
    const { call } = world.server;
    const make = async (name: string, parentId: string | null) =>
      (await call(operations.createVariableFolder, { body: { name, parentId } })).body.id;
    const north = await make('Bulk north', null);
    const south = await make('Bulk south', null);
    const cellar = await make('Bulk cellar', north);
    const hand = handOf(page, 'keyboard alone');
    await goTo(page, '/administration/folders?search=bulk&sort=NAME');
    // The folders that the page knows from earlier do not have these.
    await page.reload();
    for (const name of ['Bulk north', 'Bulk south']) {
      await hand.press(page.getByRole('checkbox', { name: `Select ${name}` }));
    }
    await hand.press(button('Move to folder', bar()));
    const dialog = page.getByRole('dialog', { name: 'Move 2 folders' });
    const option = page.getByRole('option', { name: 'Bulk cellar' });
    await hand.select(dialog.getByRole('combobox', { name: 'Parent' }), 'Bulk cel', option);
    await hand.press(button('Move', dialog));
    await page.getByText('Move to folder: 1 of 2 failed and stay selected').waitFor();
    await bar()
      .getByText(/^Bulk north: ./)
      .waitFor();
    await page.getByText('1 selected').waitFor();
    expect(await seriousViolationsOf(page, { include: ['main'] })).toEqual([]);
    const parentOf = async (folderId: string) =>
      (await call(operations.retrieveVariableFolder, { params: { folderId } })).body.parentId;
    expect([await parentOf(north), await parentOf(south)]).toEqual([null, cellar]);
  });

  it('asks once before it deletes the selected folders, with the name of each', async () => {
    const { page, button } = journey();
    await selectAll();
    await button('Delete', bar()).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 3 folders?' });
    const names = dialog.getByRole('list', { name: '3 folders' }).getByRole('listitem');
    const named = ['Bulk cellar', 'Bulk north', 'Bulk south'];
    expect((await names.allInnerTexts()).toSorted()).toEqual(named);
    expect(await seriousViolationsOf(page, { include: ['[role="dialog"]'] })).toEqual([]);
    await button('Delete', dialog).click();
    await page.getByText('Delete: 3 done').waitFor();
    await page.getByText('No results').waitFor();
  });

  it('deletes selected Variables only after their number is typed, and returns the focus to the table', async () => {
    const { page, button, world } = journey();
    const { call } = world.server;
    const { body: found } = await call(operations.searchDevices, { body: { take: 1 } });
    const params = { deviceId: found.items[0].id };
    for (const name of ['Spare one', 'Spare two', 'Spare three']) {
      const topicPropertyPath = name.toLowerCase().replace(' ', '.');
      const body = { topicPropertyPath, name, type: 'NUMBER', isLoggingEnabled: true };
      expect((await call(operations.createVariable, { params, body })).status).toBe(201);
    }
    await goTo(page, '/variables?search=spare&sort=NAME');
    for (const name of ['Spare one', 'Spare two']) {
      await page.getByRole('checkbox', { name: new RegExp(`^Select .* · ${name}$`) }).check();
    }
    await button('Delete', bar()).click();
    const dialog = page.getByRole('dialog', { name: 'Delete 2 Variables?' });
    expect(await button('Delete', dialog).isDisabled()).toBe(true);
    await dialog.getByLabel('Type “2 Variables” to confirm').fill('2 Variables');
    await button('Delete', dialog).click();
    await page.getByText('1 record', { exact: true }).waitFor();
    const first = page.getByRole('checkbox', { name: 'Select all on this page' });
    await expect.poll(() => first.evaluate((box) => box === document.activeElement)).toBe(true);
    await selectAll();
    await button('Delete', bar()).click();
    const last = page.getByRole('dialog', { name: /^Delete .* · Spare three\?$/ });
    await last.getByRole('textbox').fill(`${found.items[0].name} · Spare three`);
    await button('Delete', last).click();
    await page.getByText('No results').waitFor();
  });

  it('disables selected webhooks, and offers nothing for the own account in the list of users', async () => {
    const { page, button, world } = journey();
    const { call, adminEmail } = world.server;
    for (const name of ['Bulk A', 'Bulk B', 'Bulk C']) {
      const body = { name, url: 'https://example.com/hook' };
      expect((await call(operations.createWebhook, { body })).status).toBe(201);
    }
    await goTo(page, '/administration/webhooks?search=bulk');
    await page.getByText('3 records', { exact: true }).waitFor();
    await selectAll();
    await button('Disable', bar()).click();
    await button('Disable', page.getByRole('dialog', { name: 'Disable 3 webhooks?' })).click();
    await page.getByText('Disable: 3 done').waitFor();
    const { body: listed } = await call(operations.listWebhooks, { query: 'search=bulk' });
    expect(listed.items.map(({ isActive }: { isActive: boolean }) => isActive)).toEqual(
      Array.from({ length: 3 }, () => false),
    );
    await goTo(page, `/administration/users?search=${adminEmail}`);
    await page.getByRole('checkbox', { name: `Select ${adminEmail}` }).check();
    expect(await bar().getByRole('button').allInnerTexts()).toEqual(['Clear selection']);
  });
}
