import { expect, it } from 'vitest';
import { copiedPictureSize, dragByFinger } from '../support/chart.ts';
import type { Journey } from '../support/journey.ts';

const HOUR_MS = 60 * 60_000;
const DAY_MS = 24 * HOUR_MS;

/** Copies, exports and pans the chart of the page of a Variable. */
export function chartStory(journey: () => Journey): void {
  it('copies a chart as CSV and as an image', async () => {
    const { page, button } = journey();
    await button('Copy as CSV').click();
    await page.getByText('Copied').first().waitFor();
    const text = await page.evaluate(() => navigator.clipboard.readText());
    // The first bucket may have readings of before and after the alarm.
    expect(text).toMatch(
      /^time,Pressure \(bar\),Pressure \(bar\) min.*\r\n2\d{3}-[^,]*,\d\.?\d*,\d/,
    );
    await button('Copy as image').click();
    await expect.poll(() => copiedPictureSize(page)).toBeGreaterThan(1_000);
  });

  it('adds a live value to a chart before its history is read again', async () => {
    const { page, button, publish } = journey();
    await publish({ oil: { pressure: 4.06 } });
    const copied = async () => {
      await button('Copy as CSV').click();
      return await page.evaluate(() => navigator.clipboard.readText());
    };
    await expect.poll(copied, { interval: 300 }).toMatch(/,4\.06,4\.06,4\.06\r\n$/);
  });

  it('says in a chart, in its copy and instead of an export that the newest readings are missing', async () => {
    const { page, button } = journey();
    const readings = /\/readings\?.*startTime=/;
    await page.route(readings, async (route) => {
      const response = await route.fetch();
      await route.fulfill({ response, json: { ...(await response.json()), incomplete: true } });
    });
    await page.getByText('1 h', { exact: true }).click();
    const missing = page.getByText(/The newest readings are missing/);
    await missing.waitFor();
    await button('Copy as CSV').click();
    await expect.poll(() => missing.count()).toBe(2);
    await button('Export CSV').click();
    await page.getByText(/Nothing was exported/).waitFor();
    await page.unroute(readings);
    const download = page.waitForEvent('download');
    await button('Export CSV').click();
    expect((await download).suggestedFilename()).toMatch(
      /^Generator 1 Pressure 2\d{3}-\d\d-\d\dT\d{4}Z to 2\d{3}-.*Z\.csv$/,
    );
    await page.getByText('24 h', { exact: true }).click();
    await missing.first().waitFor({ state: 'hidden' });
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
