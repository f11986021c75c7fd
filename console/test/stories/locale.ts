import { operations } from '@fieldwatch/contract';
import { expect, it } from 'vitest';
import { goTo, signIn } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';
import { pageActions } from '../support/journey.ts';

/** Dates and numbers in the form of the browser's locale; the words stay those of the catalogue. */
export function localeStory(filled: () => FilledConsole): void {
  it('shows and takes dates and numbers as a German browser writes them', async () => {
    const { world, fleet } = filled();
    const { server } = world;
    const context = await world.newContext({ locale: 'de-DE', timezoneId: 'Europe/Vienna' });
    const page = await context.newPage();
    const { button } = pageActions(page);
    await page.goto('/alarms/history');
    await signIn(page, server.adminEmail, server.adminPassword);
    await page.getByText('Oil pressure is below 3,7 bar').first().waitFor();
    const text = await page.locator('main').innerText();
    expect(text).toMatch(/\b\d\d:\d\d:\d\d\b/);
    expect(text).not.toMatch(/\d (AM|PM)\b/);
    // The table leaves out the date of the last 24 hours, which is all that there may be.
    await page.locator('tbody time').first().hover();
    const exact = /\b\d{1,2}\. \p{L}+\.? \d{4}, \d\d:\d\d:\d\d/u;
    await page.getByRole('tooltip').filter({ hasText: exact }).waitFor();
    await goTo(page, `/alarms/configurations/${fleet.alarmId}`);
    const threshold = page.getByLabel('Threshold', { exact: true });
    await expect.poll(() => threshold.inputValue()).toBe('3,7');
    await threshold.fill('3,65');
    await button('Save').click();
    const stored = async () => {
      const reply = await server.call(operations.retrieveAlarm, {
        params: { alarmId: fleet.alarmId },
        auth: server.administrator,
      });
      return reply.body.thresholdValueNumber;
    };
    await expect.poll(stored).toBe(3.65);
    await server.call(operations.updateAlarm, {
      params: { alarmId: fleet.alarmId },
      body: { thresholdValueNumber: 3.7 },
      auth: server.administrator,
    });
    await context.close();
  });
}
