import { operations } from '@fieldwatch/contract';
import type { Locator, Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { findThresholdLine } from '../support/chart.ts';
import type { Journey } from '../support/journey.ts';

/** Replaces the content of a field from the clipboard. */
async function paste(page: Page, field: Locator, text: string): Promise<void> {
  await page.evaluate((copied) => navigator.clipboard.writeText(copied), text);
  await field.focus();
  await page.keyboard.press('Control+A');
  await page.keyboard.press('Control+V');
}

/** From the first Alarm to shelving. Each test continues where the previous one ended. */
export function alarmStory(journey: () => Journey): void {
  it('creates an Alarm and shows its backtest before it is saved', async () => {
    const { page, button, choose } = journey();
    await page.getByRole('link', { name: 'Alarms', exact: true }).click();
    await page.getByRole('tab', { name: 'Configurations' }).click();
    await page.getByRole('link', { name: 'Add Alarm' }).first().click();
    await page.getByLabel('Name').fill('Oil pressure low');
    await choose('Device', 'Generator 1');
    await choose('Variable', 'Pressure');
    await choose('Operator', 'is below');
    const threshold = page.getByLabel('Threshold');
    await threshold.fill('-5');
    await page.getByText('Must be at least 0').waitFor();
    await page.getByLabel('Delay (seconds)', { exact: true }).fill('901');
    await page.getByText('Must be at most 900').waitFor();
    await button('Create').click();
    expect(await threshold.inputValue()).toBe('-5');
    await paste(page, threshold, '1000000');
    await page.getByText('Must be at most 999,999').waitFor();
    await page.getByLabel('Delay (seconds)', { exact: true }).fill('0');
    await paste(page, threshold, '4.2');
    // The last day, week and month, one backtest after the other.
    await expect.poll(() => page.getByText('2 events', { exact: true }).count()).toBe(3);
    // New data may draw the chart again during a drag, which ends it.
    const drag = async () => {
      const line = await findThresholdLine(page);
      await page.mouse.down();
      await page.mouse.move(line.x, line.y + 30, { steps: 4 });
      await page.mouse.up();
      return Number(await threshold.inputValue());
    };
    await expect.poll(drag).toBeLessThan(4.2);
    await threshold.fill('3.5');
    await page.getByText('0 events').first().waitFor();
    await choose('Severity', 'Critical');
    await button('Create').click();
    await page.getByRole('link', { name: 'Oil pressure low' }).waitFor();
  });

  it('shows a raised Alarm without a reload', async () => {
    const { page, publish } = journey();
    await page.getByRole('tab', { name: 'Active', exact: true }).click();
    await page.getByText('No active alarms').waitFor();
    await publish({ oil: { pressure: 2.5 } });
    await page.getByRole('link', { name: 'Oil pressure low' }).waitFor();
    await page.getByText('Critical').first().waitFor();
    await page.getByText('Pressure is below 3.5 bar').waitFor();
    await page.getByText(/^2\.5 bar/).waitFor();
    await publish({ oil: { pressure: 2.4 } });
    await page.getByText('now 2.4 bar').waitFor();
  });

  it('acknowledges an alarm with a note by keyboard alone', async () => {
    const { world, page, button } = journey();
    await page.keyboard.press('Escape');
    const target = button('Acknowledge: Oil pressure low');
    for (let presses = 0; presses < 60; presses += 1) {
      await page.keyboard.press('Tab');
      if (await target.evaluate((element) => element === document.activeElement)) break;
    }
    await page.keyboard.press('Enter');
    await page.getByRole('dialog').getByLabel(/^Note/).waitFor();
    await page.keyboard.type('On my way to the plant room');
    await page.keyboard.press('Control+Enter');
    const main = page.getByRole('main');
    await main.getByText('Acknowledged', { exact: true }).last().waitFor();
    await page.getByText(`by ${world.server.adminEmail}`).waitFor();
  });

  it('lists a cleared alarm in the history with its note', async () => {
    const { page, publish } = journey();
    await publish({ oil: { pressure: 4.2 } });
    await page.getByText('No active alarms').waitFor();
    await page.getByRole('tab', { name: 'History', exact: true }).click();
    await page.getByRole('searchbox').fill('oil');
    await page.waitForURL(/search=oil/);
    const found = page.getByRole('table').getByRole('link', { name: 'Oil pressure low' });
    // The result of the search may replace the row at the moment of a click.
    const open = async () => {
      await found.click({ timeout: 1_000 }).catch(() => undefined);
      return page.url();
    };
    await expect.poll(open).toContain('/alarms/events/');
    await page.getByText('On my way to the plant room').first().waitFor();
    await page.getByText('Recovered').first().waitFor();
  });

  it('counts the alarm in the statistics, with a link to its configuration', async () => {
    const { page } = journey();
    await page.getByRole('link', { name: 'Alarms', exact: true }).first().click();
    await page.getByRole('tab', { name: 'Statistics' }).click();
    const ranking = page.getByRole('table', { name: 'Most frequent' });
    await ranking.getByRole('row', { name: 'Oil pressure low 1' }).waitFor();
    await page.getByText('Acceptable').waitFor();
    await page.getByText('No alarm flood').waitFor();
    await page.getByText('24 h', { exact: true }).click();
    await page.waitForURL(/last=day/);
    await ranking.getByRole('link', { name: 'Oil pressure low' }).click();
    await page.getByRole('heading', { name: 'Oil pressure low' }).waitFor();
  });

  it('shelves an Alarm with a reason and unshelves it', async () => {
    const { world, page, button, choose } = journey();
    await button('Shelve').click();
    const dialog = page.getByRole('dialog', { name: 'Shelve Oil pressure low' });
    await button('Shelve', dialog).click();
    await dialog.getByText('Must have at least 1 character').waitFor();
    await dialog.getByLabel('Reason').fill('The pump is being changed');
    await choose('Duration', '1 hour');
    await button('Shelve', dialog).click();
    await page.getByText(`by ${world.server.adminEmail}: The pump is being changed`).waitFor();
    const [, alarmId = ''] = /configurations\/([^?]+)/.exec(page.url()) ?? [];
    const shelving = async () =>
      (await world.server.call(operations.retrieveAlarm, { params: { alarmId } })).body.shelving;
    expect(await shelving()).toMatchObject({ reason: 'The pump is being changed' });
    await button('Unshelve').click();
    await button('Shelve').waitFor();
    expect(await shelving()).toBeUndefined();
  });

  it('asks before the changes of an Alarm are lost', async () => {
    const { page, button } = journey();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving' });
    const name = page.getByLabel('Name');
    const toDevices = () => page.getByRole('link', { name: 'Devices', exact: true }).click();
    const saved = await name.inputValue();
    await name.fill('Oil pressure far too low');
    await toDevices();
    await button('Cancel', dialog).click();
    await dialog.waitFor({ state: 'detached' });
    expect(await name.inputValue()).toBe('Oil pressure far too low');
    await name.fill(saved);
    await toDevices();
    await page.waitForURL(/\/devices$/);
    expect(await dialog.count()).toBe(0);
  });
}
