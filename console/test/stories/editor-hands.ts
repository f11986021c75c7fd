import { operations } from '@fieldwatch/contract';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { touchDrag } from '../support/chart.ts';
import { goTo, signIn, type TestConsole } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';
import { handOf } from '../support/hands.ts';
import { pageActions } from '../support/journey.ts';

const TABLET = { width: 768, height: 1024 };

let world: TestConsole;

async function createBoard(name: string): Promise<string> {
  const reply = await world.server.call(operations.createDashboard, {
    body: { name, configuration: { version: 1, widgets: [] } },
    auth: world.server.administrator,
  });
  return reply.body.id;
}

async function storedWidgets(dashboardId: string): Promise<readonly object[]> {
  const { body } = await world.server.call(operations.retrieveDashboard, {
    params: { dashboardId },
    auth: world.server.administrator,
  });
  return body.configuration.widgets;
}

const focusedName = (page: Page) =>
  page.evaluate(() => document.activeElement?.getAttribute('aria-label') ?? '');

/** The Dashboard editor without a mouse: by keyboard, and by finger on a tablet. */
export function editorHandsStory(filled: () => FilledConsole): void {
  beforeAll(() => {
    ({ world } = filled());
  });

  it('adds, moves, resizes, configures and deletes widgets by keyboard alone', async () => {
    const { page } = filled();
    const { button } = pageActions(page);
    const hand = handOf(page, 'keyboard alone');
    const dashboardId = await createBoard('By keyboard');
    await goTo(page, `/dashboards/${dashboardId}/edit`);
    for (const type of ['Value', 'Text']) {
      await hand.press(button('Add widget'));
      await hand.press(page.getByRole('menuitem', { name: type, exact: true }));
      await expect.poll(() => focusedName(page)).toBe(`Configure ${type}`);
    }
    for (const key of ['ArrowRight', 'ArrowUp', 'Shift+ArrowRight', 'Shift+ArrowDown']) {
      await page.keyboard.press(key);
    }
    await page.getByText('Text: column 2, row 2, 4 wide, 3 high').waitFor();
    await hand.write(page.getByLabel('Title'), 'Note');
    await hand.write(page.getByLabel('Text', { exact: true }), 'Call the plant room');
    await page.keyboard.press('Escape');
    await hand.press(button('Configure Value'));
    const option = page.getByRole('option').filter({ hasText: 'Oil pressure' }).first();
    await hand.select(page.getByRole('combobox', { name: 'Variable' }), 'oil generator', option);
    await hand.press(button('Configure Note'));
    await page.keyboard.press('Control+d');
    await expect.poll(() => button('Configure Note').count()).toBe(2);
    await page.keyboard.press('Delete');
    await expect.poll(() => focusedName(page)).toBe('Configure Note');
    await page.keyboard.press('Delete');
    await expect.poll(() => focusedName(page)).toBe('Configure Value');
    await page.keyboard.press('Control+z');
    await button('Configure Note').waitFor();
    await hand.press(button('Save draft'));
    await expect.poll(() => button('Save draft').isDisabled()).toBe(true);
    expect(await storedWidgets(dashboardId)).toMatchObject([
      { type: 'VALUE', x: 0, variableId: expect.any(String) },
      { title: 'Note', x: 1, y: 1, w: 4, h: 3, text: 'Call the plant room' },
    ]);
  });

  it('takes no option of an earlier search while the next one is on its way', async () => {
    const { page } = filled();
    const dashboardId = await createBoard('By search');
    await goTo(page, `/dashboards/${dashboardId}/edit`);
    await page.getByRole('button', { name: 'Add widget' }).click();
    await page.getByRole('menuitem', { name: 'Value', exact: true }).click();
    const field = page.getByRole('combobox', { name: 'Variable' });
    const options = page.getByRole('option');
    await field.click();
    await options.and(page.locator(':not([data-combobox-disabled])')).first().waitFor();
    const searches = '**/devices/variables/search';
    await page.route(searches, (route) => held.then(() => route.continue()));
    let release: () => void = () => undefined;
    const held = new Promise<void>((resolve) => {
      release = resolve;
    });
    const asked = page.waitForRequest(searches);
    await field.fill('generator oil');
    await asked;
    await page.keyboard.press('ArrowDown');
    await page.keyboard.press('Enter');
    expect(await field.inputValue()).toBe('generator oil');
    expect(await options.count()).toBeGreaterThan(1);
    release();
    await handOf(page, 'keyboard alone').select(
      field,
      'generator oil',
      options.filter({ hasText: 'Oil pressure' }).first(),
    );
    await expect.poll(() => field.inputValue()).toContain('Oil pressure');
    await page.unroute(searches);
  });

  it('moves, resizes and configures widgets by finger at 768 px', async () => {
    const context = await world.newContext({ viewport: TABLET, hasTouch: true, isMobile: true });
    const page = await context.newPage();
    const { button } = pageActions(page);
    const dashboardId = await createBoard('By finger');
    await page.goto(`/dashboards/${dashboardId}/edit`);
    await signIn(page, world.server.adminEmail, world.server.adminPassword);
    for (const type of ['Gauge', 'Text']) {
      await button('Add widget').tap();
      await page.getByRole('menuitem', { name: type, exact: true }).tap();
      await button(`Configure ${type}`).waitFor();
    }
    const gauge = button('Configure Gauge');
    const columnPx = ((await gauge.boundingBox())?.width ?? 0) / 3;
    await touchDrag(page, gauge, { right: 5 * columnPx, down: 0 });
    await page.getByText(/^Gauge: column 6, row 1, 3 wide/).waitFor();
    const item = page.locator('.react-grid-item', { has: gauge });
    const handle: Locator = item.locator('.react-resizable-handle');
    await touchDrag(page, handle, { right: 2 * columnPx, down: 0 });
    await page.getByText(/^Gauge: column 6, row 1, 5 wide/).waitFor();
    await button('Configure Text').tap();
    await page.getByLabel('Title').tap();
    await page.getByLabel('Title').fill('Note');
    await button('Configure Note').waitFor();
    await gauge.tap();
    await button('Remove').tap();
    await gauge.waitFor({ state: 'detached' });
    await button('Undo').tap();
    await gauge.waitFor();
    await button('Save draft').tap();
    await expect.poll(() => button('Save draft').isDisabled()).toBe(true);
    expect(await storedWidgets(dashboardId)).toMatchObject([
      { type: 'GAUGE', x: 5, y: 0, w: 5 },
      { type: 'TEXT', title: 'Note' },
    ]);
    await context.close();
  });
}
