import { operations } from '@fieldwatch/contract';
import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { someOf } from '../../../server/test/support/soak.ts';
import { goTo } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';
import { MAX_SHIFT, observeShift, shiftOf } from '../support/layout-shift.ts';

const WIDTHS = [360, 1280];

/** What the page says of active alarms at one moment, in each of its parts. */
interface Shown {
  readonly header: number;
  readonly summary: number;
  readonly severities: number;
  readonly sites: number;
  readonly raised: boolean;
}

/** Records what the page shows of alarms after each change of it. */
async function watchAlarms(page: Page, alarmName: string): Promise<void> {
  await page.evaluate((name) => {
    const seen: Shown[] = [];
    const numberIn = (text: string | null | undefined) => Number.parseInt(text ?? '0', 10) || 0;
    const sum = (values: readonly number[]) => values.reduce((total, value) => total + value, 0);
    const sample = () => {
      const summary = document.querySelector('[data-active-alarms]');
      const badges = summary?.querySelectorAll('[data-tone]') ?? [];
      seen.push({
        header: numberIn(document.querySelector('header a[href="/alarms"]')?.textContent),
        summary: numberIn(summary?.querySelector('a[href="/alarms"] :last-child')?.textContent),
        severities: sum([...badges].map((each) => numberIn(each.textContent))),
        sites: sum(
          [...document.querySelectorAll('[data-alarms]')].map((each) =>
            numberIn(each.getAttribute('data-alarms')),
          ),
        ),
        raised: document.querySelector('main')?.textContent?.includes(name) ?? false,
      });
    };
    sample();
    Object.assign(window, { seenAlarms: seen });
    new MutationObserver(sample).observe(document.body, {
      subtree: true,
      childList: true,
      characterData: true,
      attributes: true,
    });
  }, alarmName);
}

const seenAlarms = (page: Page) =>
  page.evaluate(() => (window as typeof window & { seenAlarms: Shown[] }).seenAlarms);

/** The layout shift of a fresh load of the overview, in a page with `observeShift`. */
async function shiftOfOverview(page: Page): Promise<number> {
  await page.goto('/');
  await page
    .getByRole('img', { name: /of the last 24 hours/ })
    .first()
    .waitFor();
  await page.getByText('Live', { exact: true }).waitFor();
  return shiftOf(page);
}

/** The overview by site. Needs a signed-in page. */
export function overviewStory(filled: () => FilledConsole): void {
  it('shows a site with its worst alarm, power source, load and time to empty', async () => {
    const { page, fleet } = filled();
    await goTo(page, '/');
    const site = page.getByRole('listitem').filter({ hasText: 'North plant' }).first();
    await site.getByRole('link', { name: 'Oil pressure low' }).waitFor();
    await site.getByText('Critical').waitFor();
    await site.getByText(/^(Utility|Not on utility)$/).waitFor();
    await site.getByText(/^\d+ kW$/).waitFor();
    await site.getByText(/^\d+ %$/).waitFor();
    await site.getByText(/^empty in [\d.]+ h$/).waitFor();
    await site.getByRole('img', { name: /^Load of the last 24 hours/ }).waitFor();
    await site.getByRole('link', { name: 'North plant' }).click();
    await page.waitForURL(new RegExp(`/locations/${fleet.locationId}$`));
  });

  it('leads from offline Devices to their list', async () => {
    const { page } = filled();
    await goTo(page, '/');
    await page.getByRole('link', { name: /^Offline Devices/ }).click();
    await page.waitForURL(/\/devices\?state=silent$/);
    await page.getByRole('link', { name: 'Gateway, plant room' }).waitFor();
  });

  it('agrees with itself at every moment while an alarm is raised and cleared', async () => {
    const { page, world, fleet } = filled();
    const { server } = world;
    const [auth, name] = [server.administrator, 'Engine too fast'];
    await goTo(page, '/');
    await page.getByRole('region', { name: 'Summary' }).waitFor();
    const { body: alarm } = await server.call(operations.createAlarm, {
      auth,
      body: {
        name,
        isActive: true,
        deviceId: fleet.deviceId,
        deviceVariableId: fleet.variableId,
        operator: 'GREATER_THAN',
        thresholdValueNumber: 9_000,
        severity: 'HIGH',
        isAcknowledgeable: true,
        alarmGroupId: null,
      },
    });
    const report = (rpm: number) =>
      server.call(operations.writeReadings, {
        auth,
        params: { deviceId: fleet.deviceId },
        body: { data: { engine: { rpm } } },
      });
    await watchAlarms(page, name);
    await report(9_500);
    const changes = page.getByRole('list', { name: 'Changed in the last hour' });
    const change = changes.getByRole('listitem').filter({ hasText: name });
    await change.getByText('High').waitFor();
    await report(1_500);
    await change.getByText('Cleared').waitFor();
    const seen = await seenAlarms(page);
    const before = seen[0]?.summary ?? 0;
    for (const { header, summary, severities, sites, raised } of seen) {
      expect([header, severities, sites]).toEqual([summary, summary, summary]);
      if (summary > before) expect(raised).toBe(true);
    }
    expect(new Set(seen.map(({ summary }) => summary))).toEqual(new Set([before, before + 1]));
    await server.call(operations.archiveAlarm, { auth, params: { alarmId: alarm.id } });
  });

  it('keeps its layout while it is loading', async () => {
    const { page, world } = filled();
    const fresh = await page.context().newPage();
    await fresh.addInitScript(observeShift);
    for (const width of someOf(WIDTHS, 0.5)) {
      await fresh.setViewportSize({ width, height: 800 });
      expect(await shiftOfOverview(fresh), `${width} px`).toBeLessThanOrEqual(MAX_SHIFT);
    }
    await fresh.close();
    expect(world.browserErrors).toEqual([]);
  });
}
