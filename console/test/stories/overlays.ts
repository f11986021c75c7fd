import type { Locator, Page } from 'playwright-core';
import { afterEach, beforeAll, expect, it } from 'vitest';
import { cases, someOf } from '../../../server/test/support/soak.ts';
import { seriousViolationsOf } from '../support/axe.ts';
import { goTo, settled } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';
import { pageNamed } from '../support/pages.ts';

const WIDE = { width: 1280, height: 800 };
const PHONE = { width: 360, height: 740 };
/** Dialogs, the drawer and popovers; menus; the options of selects. */
const OVERLAYS = ['[role="dialog"]', '[role="menu"]', '[role="listbox"]'];

/** Something on the page that is pressed: a button by its name, or an element of another role. */
type Step = string | RegExp | ((page: Page) => Locator);

interface Overlay {
  readonly name: string;
  /** The page that has it. */
  readonly on: string;
  /** What is pressed, one after the other, until it is open. */
  readonly by: readonly Step[];
}

const item = (name: string | RegExp) => (page: Page) => page.getByRole('menuitem', { name });
const box = (name: string | RegExp) => (page: Page) => page.getByRole('combobox', { name });
const text = (content: string) => (page: Page) => page.getByText(content, { exact: true });
const check = (name: string | RegExp) => (page: Page) => page.getByRole('checkbox', { name });

const OVERLAY_LIST: readonly Overlay[] = [
  { name: 'theme menu', on: 'not-found', by: ['Theme'] },
  { name: 'account menu', on: 'not-found', by: ['Account'] },
  { name: 'list of shortcuts', on: 'not-found', by: [/Keyboard shortcuts/] },
  { name: 'alert settings', on: 'active-alarms', by: ['Alerts'] },
  { name: 'severity filter', on: 'active-alarms', by: [box('Severity')] },
  { name: 'acknowledgement', on: 'active-alarms', by: [/^Acknowledge:/] },
  { name: 'assignment', on: 'active-alarms', by: [/^Assign:/] },
  { name: 'shelving from the list', on: 'active-alarms', by: [/^Shelve:/] },
  { name: 'menu of views', on: 'active-alarms', by: ['Views'] },
  {
    name: 'name of a view',
    on: 'active-alarms',
    by: [text('Flat'), 'Views', item('Save this view')],
  },
  { name: 'archiving of an Alarm', on: 'alarms', by: [/^Archive/] },
  {
    name: 'alarm group of selected Alarms',
    on: 'alarms',
    by: [check('Select Oil pressure low'), 'Set alarm group'],
  },
  { name: 'shelving of an Alarm', on: 'alarm', by: ['Shelve'] },
  { name: 'operator select', on: 'alarm-new', by: [box('Operator')] },
  { name: 'new maintenance window', on: 'maintenance', by: ['Plan maintenance'] },
  { name: 'edited maintenance window', on: 'maintenance', by: [/^Edit: Weekly/] },
  { name: 'new Device', on: 'devices', by: ['Add Device'] },
  { name: 'column chooser', on: 'devices', by: ['Select columns'] },
  { name: 'Location filter', on: 'devices', by: [box('Location')] },
  {
    name: 'move of Devices',
    on: 'devices',
    by: [check('Select Gateway, plant room'), 'Move to Location'],
  },
  { name: 'menu of a Device', on: 'device', by: ['More'] },
  { name: 'maintenance of a Device', on: 'device', by: ['Maintenance'] },
  { name: 'edited Device', on: 'device', by: ['Edit'] },
  { name: 'deletion of a Device', on: 'device', by: ['More', item(/^Delete/)] },
  { name: 'new Variable', on: 'device-unmatched', by: [/^Create Variable: engine/] },
  { name: 'new password', on: 'device-publish', by: ['New password'] },
  { name: 'online window', on: 'device-details', by: ['Change online window'] },
  { name: 'range picker', on: 'variable', by: [/^Choose a time range/] },
  { name: 'comparison menu', on: 'variable', by: [/^Compare with/] },
  { name: 'scales', on: 'variable', by: [/^Scale/] },
  { name: 'export menu', on: 'variable', by: ['Export'] },
  { name: 'link menu', on: 'variable', by: [/link/i] },
  { name: 'annotation menu', on: 'variable', by: ['Annotations'] },
  { name: 'edited Variable', on: 'variable', by: ['Edit'] },
  { name: 'new Asset', on: 'assets', by: ['Add Asset'] },
  { name: 'binding of Variables', on: 'asset', by: ['Bind Variables'] },
  { name: 'deletion of an Asset', on: 'asset', by: ['Delete'] },
  { name: 'new Location', on: 'locations', by: ['Add Location'] },
  { name: 'new Dashboard', on: 'dashboards', by: ['Add Dashboard'] },
  { name: 'menu of a Dashboard', on: 'dashboard', by: ['More'] },
  { name: 'share links', on: 'dashboard', by: ['Share'] },
  { name: 'versions', on: 'dashboard', by: ['More', item('Versions')] },
  { name: 'rotation', on: 'dashboard', by: ['More', item(/^Rotate/)] },
  { name: 'archiving of a Dashboard', on: 'dashboard', by: ['More', item('Archive')] },
  { name: 'publication', on: 'dashboard-edit', by: ['Publish'] },
  { name: 'widget menu', on: 'dashboard-edit', by: ['Add widget'] },
  {
    name: 'Variable picker',
    on: 'dashboard-edit',
    by: ['Configure Engine speed', box('Variable')],
  },
  { name: 'change of the password', on: 'account', by: ['Account', item('Change password')] },
  { name: 'new user', on: 'users', by: ['Add user'] },
  { name: 'new API key', on: 'api-keys', by: ['Create API key'] },
  { name: 'new alarm group', on: 'alarm-groups', by: ['Add alarm group'] },
  {
    name: 'new escalation policy',
    on: 'escalation-policies',
    by: ['Create escalation policy'],
  },
  { name: 'edited escalation policy', on: 'escalation-policies', by: [/^Edit: Plant/] },
  { name: 'new rota', on: 'rotas', by: ['Create rota'] },
  { name: 'weeks and override of a rota', on: 'rotas', by: [/^Edit: Night/, 'I take over'] },
  { name: 'new webhook', on: 'webhooks', by: ['Add webhook'] },
  { name: 'test of a webhook', on: 'webhooks', by: [/^Send a test message: On-call/] },
  { name: 'new phone channel', on: 'phone-channels', by: ['Add phone channel'] },
  { name: 'test of a phone channel', on: 'phone-channels', by: [/^Send a test message: Router/] },
  { name: 'new heartbeat', on: 'heartbeats', by: ['Add heartbeat'] },
  { name: 'new connection to Home Assistant', on: 'home-assistant', by: ['Add connection'] },
  { name: 'new LoRaWAN network', on: 'lorawan', by: ['Add network'] },
  { name: 'Device of a sensor that sent', on: 'lorawan', by: [/^Create Device of 70B3/] },
  { name: 'new codec', on: 'codecs', by: ['Add codec'] },
  { name: 'edited codec', on: 'codecs', by: [/^Edit: Temperature/] },
  { name: 'new folder', on: 'folders', by: ['Add folder'] },
];

/** What opens the overlay of a name. */
function named(name: string): Overlay {
  const found = OVERLAY_LIST.find((each) => each.name === name);
  if (!found) throw new Error(`there is no overlay ${name}`);
  return found;
}

/** Those of a run of `npm test`: a third, each in one theme. */
const CHECKED = someOf(OVERLAY_LIST, 1 / 3).map(({ name }) => name);
const THEMES_PER_OVERLAY = cases(2, 0.5);

let theme: 'light' | 'dark' = 'light';

/** The serious and critical violations in open overlays, as text. */
async function faultsInTheme(page: Page, rules?: string[]): Promise<string[]> {
  const found = await seriousViolationsOf(page, { include: OVERLAYS, ...(rules && { rules }) });
  return found.map(
    ({ id, nodes }) =>
      `${theme}: ${id}: ${nodes.map(({ html }) => html.slice(0, 160)).join(' | ')}`,
  );
}

async function turnTo(page: Page, other: typeof theme): Promise<void> {
  theme = other;
  await page.emulateMedia({ colorScheme: theme });
  await settled(page, theme);
}

const otherTheme = () => (theme === 'light' ? 'dark' : 'light');

/** All rules in one theme; in `npm run test:soak` contrast in the other as well. */
async function faultsOf(page: Page): Promise<string[]> {
  await settled(page, theme);
  const faults = await faultsInTheme(page);
  if (THEMES_PER_OVERLAY === 1) return faults;
  await turnTo(page, otherTheme());
  return [...faults, ...(await faultsInTheme(page, ['color-contrast']))];
}

/** Goes to a page in the other theme, unless the overlay before was on the same. */
async function stayOrGoTo(page: Page, path: string): Promise<void> {
  if (page.url() === new URL(path, page.url()).href) return;
  await turnTo(page, otherTheme());
  await goTo(page, path);
}

/** A select keeps its hidden list in the document. */
const openIn = (page: Page) => page.locator(OVERLAYS.join(',')).filter({ visible: true });

/** Escape closes every overlay, the inner one first, and none stays open. */
async function closeAll(page: Page): Promise<void> {
  await expect
    .poll(async () => {
      const count = await openIn(page).count();
      if (count > 0) await page.keyboard.press('Escape');
      return count;
    })
    .toBe(0);
}

/** Everything that opens above a page, in both themes. Continues with a page that is signed in. */
export function overlaysStory(filled: () => FilledConsole): void {
  let page: Page;

  beforeAll(async () => {
    ({ page } = filled());
    await page.setViewportSize(WIDE);
    await turnTo(page, 'light');
  });

  afterEach(() => closeAll(page));

  it.each(CHECKED)('the %s has no serious violation', async (name) => {
    const { on, by } = named(name);
    const { path, shows } = pageNamed(filled().fleet, on);
    await stayOrGoTo(page, path);
    await page.getByText(shows).first().waitFor();
    for (const step of by) {
      const target =
        typeof step === 'function'
          ? step(page)
          : page.getByRole('button', { name: step, exact: typeof step === 'string' });
      await target.first().click();
    }
    await openIn(page).first().waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('the command palette with results has no serious violation', async () => {
    await page.keyboard.press('Control+k');
    await page.getByRole('combobox', { name: /^Search pages/ }).fill('oil');
    await page
      .getByRole('option', { name: /Oil pressure low/ })
      .first()
      .waitFor();
    expect(await faultsOf(page)).toEqual([]);
  });

  it('the navigation of a phone has no serious violation', async () => {
    await page.setViewportSize(PHONE);
    await page.getByRole('button', { name: 'Navigation' }).click();
    await page.getByRole('link', { name: 'Administration' }).waitFor();
    expect((await seriousViolationsOf(page)).map(({ id }) => id)).toEqual([]);
    await page.setViewportSize(WIDE);
  });
}
