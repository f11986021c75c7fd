import { readFileSync } from 'node:fs';
import { expect, it } from 'vitest';
import { copiedPictureSize, dragByFinger } from '../support/chart.ts';
import type { Journey } from '../support/journey.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;
const READINGS = /\/readings\?.*startTime=/;
/** Each copy shows a notification, of which the console shows a few at a time. */
const COPY_EVERY = { interval: 600 };

/** Copies, exports and pans the chart of the page of a Variable. */
export function chartStory(journey: () => Journey): void {
  it('copies a chart as CSV and as an image', async () => {
    const { page, button } = journey();
    // The chart ends at a moment before its newest readings until it moves on, the sooner the shorter.
    await page.getByText('1 h', { exact: true }).click();
    await page.waitForURL(/last=hour/);
    const copied = async () => {
      await button('Copy as CSV').click();
      await page.getByText('Copied').first().waitFor();
      return await page.evaluate(() => navigator.clipboard.readText());
    };
    // The first bucket may have readings of before and after the alarm.
    await expect
      .poll(copied, COPY_EVERY)
      .toMatch(
        /^time,Generator 1 · Pressure \(bar\),Generator 1 · Pressure \(bar\) min.*\r\n2\d{3}-[^,]*,\d\.?\d*,\d/,
      );
    await button('Copy as image').click();
    await expect.poll(() => copiedPictureSize(page)).toBeGreaterThan(1_000);
  });

  it('adds a live value to a chart before its history is read again', async () => {
    const { page, button, publish } = journey();
    await page.route(READINGS, () => undefined);
    await publish({ oil: { pressure: 4.06 } });
    const copied = async () => {
      await button('Copy as CSV').click();
      return await page.evaluate(() => navigator.clipboard.readText());
    };
    await expect.poll(copied, COPY_EVERY).toMatch(/,4\.06,4\.06,4\.06\r\n$/);
    await page.unroute(READINGS);
  });

  it('says in a chart and in its copy that the newest readings are missing', async () => {
    const { page, button } = journey();
    await page.route(READINGS, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), incomplete: true } });
    });
    await page.getByText('7 d', { exact: true }).click();
    const missing = page.getByText(/The newest readings are missing/);
    await missing.waitFor();
    await button('Copy as CSV').click();
    await expect.poll(() => missing.count()).toBe(2);
    await page.unroute(READINGS);
    await page.getByText('24 h', { exact: true }).click();
    await missing.first().waitFor({ state: 'hidden' });
  });

  it('exports the range of a chart as one file that names Device, Variable and unit', async () => {
    const { page, button } = journey();
    await button('Export').click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'CSV, every reading' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toMatch(/^Pressure 2\d{3}-\d\d-\d\dT\d{4}Z to 2.*Z\.csv$/);
    const [head, first] = readFileSync(await file.path(), 'utf8').split('\r\n');
    expect(head).toBe('time,device,variable,unit,value,variableId');
    expect(first).toMatch(/^2\d{3}-.*Z,Generator 1,Pressure,bar,\d/);
  });

  it('shows statistics that the server has, and hides a series by its name', async () => {
    const { page } = journey();
    const table = page.getByRole('table', { name: 'Statistics of the range' });
    await expect.poll(() => table.locator('tbody td').first().innerText()).toMatch(/bar$/);
    const series = table.getByRole('button', { name: 'Pressure' });
    await series.click();
    await page.waitForURL(/hide=/);
    await expect.poll(() => series.getAttribute('aria-pressed')).toBe('false');
    await series.click();
    await expect.poll(() => page.url()).not.toContain('hide=');
  });

  it('is used by keyboard: crosshair, zoom, range before, and reset', async () => {
    const { page, button } = journey();
    const tooltip = page.locator('[data-chart-tooltip]');
    await page.getByRole('application', { name: /Chart of/ }).focus();
    await page.keyboard.press('End');
    await tooltip.waitFor();
    await page.keyboard.press('Escape');
    await tooltip.waitFor({ state: 'detached' });
    await page.keyboard.press('+');
    await page.waitForURL(/from=/);
    const zoomed = page.url();
    await page.keyboard.press('Shift+ArrowLeft');
    await expect.poll(() => page.url()).not.toBe(zoomed);
    await button('Previous range').click();
    await page.waitForURL(zoomed);
    await page.getByRole('application', { name: /Chart of/ }).focus();
    const lengthMs = () => {
      const { searchParams } = new URL(page.url());
      return Number(searchParams.get('to')) - Number(searchParams.get('from'));
    };
    const before = lengthMs();
    // Faster than the page is rendered for each of them.
    for (const key of ['+', '+', '+']) await page.keyboard.press(key);
    await expect.poll(() => Math.round(before / lengthMs())).toBe(8);
    await page.keyboard.press('Escape');
    await expect.poll(() => page.url()).not.toContain('from=');
  });

  it('takes a typed range and compares it with the day before, all in the URL', async () => {
    const { page, button } = journey();
    await button(/^Choose a time range/).click();
    await page.getByRole('textbox', { name: 'Range' }).fill('last 6 hours');
    await page.keyboard.press('Enter');
    await page.waitForURL(/last=6h/);
    await button(/^Compare with/).click();
    await page.getByRole('menuitem', { name: 'The day before' }).click();
    await page.waitForURL(/compare=day/);
    await page.getByRole('row', { name: /Pressure \(day before\)/ }).waitFor();
    await button(/^Compare with/).click();
    await page.getByRole('menuitem', { name: 'No comparison' }).click();
    await page.getByText('24 h', { exact: true }).click();
    await page.waitForURL(/last=day/);
  });

  it('pans a chart by touch, but not on a tap or while the page scrolls', async () => {
    const { page, button } = journey();
    const shown = () => {
      const { searchParams } = new URL(page.url());
      return [Number(searchParams.get('from')), Number(searchParams.get('to'))] as const;
    };
    await dragByFinger(page, 0, 0);
    await dragByFinger(page, 3, 120);
    expect(shown()).toEqual([0, 0]);
    await dragByFinger(page, 200, 0);
    await page.waitForURL(/from=/);
    const [from, to] = shown();
    expect(to - from).toBe(DAY_MS);
    expect(to).toBeLessThan((await page.evaluate(() => Date.now())) - HOUR_MS);
    await dragByFinger(page, -100, 0);
    await expect.poll(() => shown()[0]).toBeGreaterThan(from);
    await button('Zoom out').click();
    await expect.poll(shown).toEqual([0, 0]);
  });
}
