import type { Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { cases, someOf } from '../../../server/test/support/soak.ts';
import { seriousViolationsOf } from '../support/axe.ts';
import { goTo, settled, signIn } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';
import { PAGE_NAMES, pageNamed } from '../support/pages.ts';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };
const SMALLEST = { width: 320, height: 740 };
/** Beside the navigation, and without it (a tablet, or 200 % zoom). */
const TABLETS = [768, 720].map((width) => ({ width, height: 740 }));
/** Charts and the navigation take some time to resize, on a busy machine many seconds. */
const WAIT_MS = 20_000;

/** A third of the pages, one half of them in light and one in dark; each in both in `npm run test:soak`. */
const CHECKED_PAGES = someOf(PAGE_NAMES, 1 / 3);
const LIGHT_PAGES = someOf(CHECKED_PAGES, 0.5);
const DARK_PAGES = CHECKED_PAGES.filter((name) => !LIGHT_PAGES.includes(name));
const THEMES_PER_PAGE = cases(2, 0.5);

/** All rows of a table have the same structure, and axe needs many seconds for a long one. */
const LATER_ROWS = 'tbody tr:nth-child(n + 4)';

/** The same on all pages, so that the first page in each theme stands for all. */
const SHELL = ['header.mantine-AppShell-header', 'nav.mantine-AppShell-navbar'];

let theme: 'light' | 'dark' = 'light';
let isShellChecked = false;

/** The serious and critical violations that axe finds, as text. */
async function faultsOf(page: Page, rules?: string[]): Promise<string[]> {
  const exclude = [LATER_ROWS, ...(isShellChecked ? SHELL : [])];
  const options = { exclude, ...(rules && { rules }) };
  return (await seriousViolationsOf(page, options)).map(
    ({ id, nodes }) => `${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
}

async function turnTo(page: Page, other: typeof theme): Promise<void> {
  theme = other;
  await page.emulateMedia({ colorScheme: theme });
  await settled(page, theme);
}

/** All rules in the theme of the page; in the other, if at all, what depends on it. */
async function faultsWhenWide(page: Page): Promise<string[]> {
  await page.setViewportSize(WIDE);
  await settled(page, theme);
  const faults = (await faultsOf(page)).map((each) => `${theme}: ${each}`);
  if (THEMES_PER_PAGE === 1) return faults;
  const own = theme;
  await turnTo(page, own === 'light' ? 'dark' : 'light');
  const others = await faultsOf(page, ['color-contrast']);
  faults.push(...others.map((each) => `${theme}: ${each}`));
  await turnTo(page, own);
  return faults;
}

/** A page that needs more than the width of the window would scroll sideways. */
async function faultsAt(page: Page, viewport: typeof WIDE): Promise<string[]> {
  await page.setViewportSize(viewport);
  return await page
    .waitForFunction(
      () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
      undefined,
      { timeout: WAIT_MS },
    )
    .then(() => [])
    .catch(async () => [`wider than ${viewport.width} px: ${await widestIn(page)}`]);
}

/** The elements that extend beyond the page at its side. */
function widestIn(page: Page): Promise<string> {
  return page.evaluate(() => {
    const wide = [...document.querySelectorAll('body *')].filter(
      (each) => each.getBoundingClientRect().right > document.documentElement.clientWidth,
    );
    return wide.map(({ tagName, className }) => `${tagName}.${className}`).join(' ');
  });
}

/** Begins at the width at which the page before ended: charts and tables are drawn for each. */
async function allFaultsOf(page: Page): Promise<string[]> {
  const isNarrow = page.viewportSize()?.width !== WIDE.width;
  const checks = [
    faultsWhenWide,
    ...TABLETS.map((viewport) => (page: Page) => faultsAt(page, viewport)),
  ];
  const faults: string[] = [];
  for (const check of isNarrow ? checks.toReversed() : checks) faults.push(...(await check(page)));
  return faults;
}

/** Every page on the smallest phone, and some in one theme after the other and on wider screens. Signs in. */
export function accessibilityStory(filled: () => FilledConsole): void {
  let page: Page;

  beforeAll(async () => {
    ({ page } = filled());
    await page.setViewportSize(WIDE);
  });

  it('the sign-in page has no serious accessibility violation and fits every width', async () => {
    const { adminEmail, adminPassword } = filled().world.server;
    await page.goto('/');
    await page.getByRole('button', { name: 'Sign in', exact: true }).waitFor();
    expect(await allFaultsOf(page)).toEqual([]);
    expect(await faultsAt(page, SMALLEST)).toEqual([]);
    await signIn(page, adminEmail, adminPassword);
  });

  async function open(name: string): Promise<void> {
    const { path, shows } = pageNamed(filled().fleet, name);
    await goTo(page, path);
    await page.getByText(shows).first().waitFor();
  }

  it.each(PAGE_NAMES)('the page %s fits the smallest phone', async (name) => {
    await open(name);
    expect(await faultsAt(page, SMALLEST)).toEqual([]);
  });

  async function checkPage(name: string): Promise<void> {
    await open(name);
    expect(await allFaultsOf(page)).toEqual([]);
    isShellChecked = true;
  }

  it.each(LIGHT_PAGES)('the page %s has no serious accessibility violation', checkPage);

  it('the theme changes with that of the system', async () => {
    isShellChecked = false;
    await turnTo(page, 'dark');
  });

  it.each(DARK_PAGES)('the page %s has no serious accessibility violation', checkPage);

  it('the selected tab stays in view on a phone when the tab changes', async () => {
    await page.setViewportSize(PHONE);
    for (const tab of ['users', 'audit-log', 'alarm-groups']) {
      await goTo(page, pageNamed(filled().fleet, tab).path);
      const selected = page.locator('[role="tab"][data-active]');
      await expect
        .poll(async () => {
          const { x = -1, width = 0 } = (await selected.boundingBox()) ?? {};
          return x >= 0 && x + width <= PHONE.width;
        })
        .toBe(true);
    }
    await page.setViewportSize(WIDE);
  });
}
