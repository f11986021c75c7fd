import { AxeBuilder } from '@axe-core/playwright';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { goTo, signIn, startConsole, type TestConsole } from './support/console.ts';
import { type Fleet, fillServer } from './support/fleet.ts';
import { pagesOf } from './support/pages.ts';

let world: TestConsole;
let fleet: Fleet;

beforeAll(async () => {
  world = await startConsole();
  fleet = await fillServer(world.server);
});

afterAll(() => world?.stop());

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };
/** Charts and the navigation need a moment to take their new width. */
const SETTLE_MS = 3_000;

/** What axe holds for serious or worse, in words. */
async function faultsOf(page: Page, rules?: string[]): Promise<string[]> {
  const axe = new AxeBuilder({ page });
  const { violations } = await (rules ? axe.withRules(rules) : axe).analyze();
  return violations
    .filter(({ impact }) => impact === 'serious' || impact === 'critical')
    .map(({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`);
}

/** All rules in one theme; in the other what depends on it. Then the width of a phone. */
async function faultsInBothThemes(page: Page): Promise<string[]> {
  const faults = await faultsOf(page);
  await page.emulateMedia({ colorScheme: 'dark' });
  faults.push(...(await faultsOf(page, ['color-contrast'])).map((each) => `dark: ${each}`));
  await page.emulateMedia({ colorScheme: 'light' });
  await page.setViewportSize(PHONE);
  const fits = await page
    .waitForFunction(
      () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
      undefined,
      { timeout: SETTLE_MS },
    )
    .then(
      () => true,
      () => false,
    );
  await page.setViewportSize(WIDE);
  return fits ? faults : [...faults, 'is too wide for a phone'];
}

it('no page has a serious fault in either theme, and none is wider than a phone', async () => {
  const context = await world.newContext({ colorScheme: 'light', viewport: WIDE });
  const page = await context.newPage();
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  const faults: Record<string, readonly string[]> = { entrance: await faultsInBothThemes(page) };
  await signIn(page, world.server.adminEmail, world.server.adminPassword);
  for (const { name, path, shows } of pagesOf(fleet)) {
    await goTo(page, path);
    await page.getByText(shows).first().waitFor();
    faults[name] = await faultsInBothThemes(page);
  }
  const found = Object.entries(faults).filter(([, each]) => each.length > 0);
  expect(Object.fromEntries(found)).toEqual({});
  expect(world.complaints).toEqual([]);
}, 240_000);
