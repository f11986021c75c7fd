import { operations } from '@fieldwatch/contract';
import { expect, it } from 'vitest';
import { goTo } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';
import { pageActions } from '../support/journey.ts';

const PHONE = { width: 320, height: 740 };
const WIDE = { width: 1280, height: 800 };

/** Maintenance windows, of a signed-in administrator. Each test continues where the previous one ended. */
export function maintenanceStory(filled: () => FilledConsole): void {
  /** The oil pressure falls below the threshold, after it was above. */
  async function raise(): Promise<void> {
    const { world, fleet } = filled();
    const params = { organizationId: world.server.organizationId, deviceId: fleet.deviceId };
    for (const oil of [4.4, 3.2]) {
      const body = { data: { engine: { oil } } };
      const { status } = await world.server.call(operations.writeReadings, { params, body });
      expect(status).toBeLessThan(300);
    }
  }

  it('starts in two clicks on the page of a Device, and shows there until when', async () => {
    const { page, fleet } = filled();
    const { button } = pageActions(page);
    await page.setViewportSize(PHONE);
    await goTo(page, `/devices/${fleet.deviceId}`);
    await button('Maintenance').click();
    const dialog = page.getByRole('dialog', { name: 'Maintenance of Generator 1 controller' });
    await dialog.getByText('Generator 1 controller').nth(1).waitFor();
    // The field has the focus: people type the reason, and Enter starts the window.
    await expect
      .poll(() => dialog.getByLabel('Reason').evaluate((each) => each === document.activeElement))
      .toBe(true);
    await page.keyboard.press('Enter');
    await dialog.getByText('Must have at least 1 character').waitFor();
    await page.keyboard.type('Oil change');
    await page.keyboard.press('Enter');
    const banner = page.getByRole('status').filter({ hasText: 'In maintenance until' });
    await banner.getByText('Oil change').waitFor();
    await page.setViewportSize(WIDE);
  });

  it('marks an event that was raised meanwhile, with a link to the window', async () => {
    const { page } = filled();
    await raise();
    await goTo(page, '/alarms');
    const badge = page.getByRole('main').getByRole('link', { name: 'Maintenance', exact: true });
    await badge.click({ timeout: 30_000 });
    await page.getByRole('heading', { name: 'Oil change' }).waitFor();
    await page.getByText('1 notification', { exact: true }).waitFor();
  });

  it('explains on the page of the event why a person was not notified', async () => {
    const { page, world } = filled();
    await goTo(page, '/alarms');
    await page.getByRole('link', { name: 'Oil pressure low' }).click();
    const panel = page.getByRole('region', { name: 'Who was notified, and why' });
    await panel.getByText('Held back during maintenance: Oil change.').waitFor();
    await panel.getByText('This person is no recipient of the alarm group Operators.').waitFor();
    const person = panel.getByRole('combobox', { name: 'Person' });
    expect(await person.inputValue()).toBe(world.server.adminEmail);
  });

  it('is in the audit log with the names of what it covers', async () => {
    const { page } = filled();
    await goTo(page, '/administration/audit-log?resource=MaintenanceWindow');
    const row = page.getByRole('row').filter({ hasText: 'Oil change' });
    await row.getByText('Scope', { exact: true }).waitFor();
    await row.getByRole('link', { name: 'Generator 1 controller' }).waitFor();
  });

  it('is shown on the Asset and the Location only if it covers them', async () => {
    const { page, fleet } = filled();
    await goTo(page, `/locations/${fleet.locationId}`);
    await page.getByRole('button', { name: 'Maintenance', exact: true }).waitFor();
    expect(await page.getByText('In maintenance until').count()).toBe(0);
  });

  it('is edited, ended and deleted in the list', async () => {
    const { page } = filled();
    const { button } = pageActions(page);
    await goTo(page, '/alarms/maintenance');
    await button('Edit: Oil change').click();
    const form = page.getByRole('dialog', { name: 'Edit maintenance' });
    await form.getByLabel('Reason').fill('Oil and filter change');
    await form.getByText('Monthly', { exact: true }).click();
    await form.getByLabel('Hours').fill('800');
    await button('Save', form).click();
    await form.getByText(/^Must be at most/).waitFor();
    await form.getByText('Now', { exact: true }).click();
    await button('Save', form).click();
    const row = page.getByRole('row').filter({ hasText: 'Oil and filter change' });
    await row.getByText('Active now').waitFor();
    await row.getByText('Quiet').waitFor();
    await button('End now: Oil and filter change').click();
    await button('End now', page.getByRole('dialog')).click();
    await row.getByText('Ended', { exact: true }).waitFor();
    await button('Delete: Oil and filter change').click();
    await button('Delete', page.getByRole('dialog')).click();
    await row.waitFor({ state: 'detached' });
    await page.getByText('Every Monday and Thursday at 08:00 for 2 h').waitFor();
  });
}
