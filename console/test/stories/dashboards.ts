import { operations } from '@fieldwatch/contract';
import type { Locator, Page } from 'playwright-core';
import { beforeAll, expect, it } from 'vitest';
import { goTo, type TestConsole } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';
import type { Fleet } from '../support/fleet.ts';
import { type PageActions, pageActions } from '../support/journey.ts';

let world: TestConsole;
let fleet: Fleet;
let page: Page;
let dashboardId: string;

const button: PageActions['button'] = (name, within) => pageActions(page).button(name, within);
const choose: PageActions['choose'] = (label, option) => pageActions(page).choose(label, option);

const widget = (title: string) => page.getByRole('region', { name: title });

const send = (data: object) =>
  world.server.call(operations.writeReadings, {
    params: { deviceId: fleet.deviceId },
    body: { data },
  });

/** The stored draft. */
async function stored(): Promise<Record<string, unknown>[]> {
  const { body } = await world.server.call(operations.retrieveDashboard, {
    params: { dashboardId },
    auth: world.server.administrator,
  });
  return body.configuration.widgets;
}

async function add(type: string, title: string): Promise<Locator> {
  await button('Add widget').click();
  await page.getByRole('menuitem', { name: type, exact: true }).click();
  await page.getByLabel('Title').fill(title);
  return button(`Configure ${title}`);
}

/** A Device with a Variable that has the name of another one. */
async function addNamesake(device: string, name: string): Promise<void> {
  const { server } = world;
  const created = await server.call(operations.createDevice, {
    body: { type: 'CUSTOM_DEVICE', name: device },
  });
  await server.call(operations.createVariable, {
    params: { deviceId: created.body.id },
    body: { topicPropertyPath: 'engine.oil', name, type: 'NUMBER', isLoggingEnabled: true },
  });
}

async function save(): Promise<void> {
  await button('Save draft').click();
  await expect.poll(() => button('Save draft').isDisabled()).toBe(true);
}

async function publish(comment: string): Promise<void> {
  await button('Publish').click();
  const dialog = page.getByRole('dialog', { name: 'Publish' });
  await button('Publish', dialog).click();
  await dialog.getByText('Must have at least 1 character').waitFor();
  await dialog.getByLabel('Comment').fill(comment);
  await button('Publish', dialog).click();
  await button('Full screen').waitFor();
}

/** From a new Dashboard to its archive. Each test continues where the previous one ended. */
export function dashboardStory(filled: () => FilledConsole): void {
  beforeAll(async () => {
    ({ world, fleet, page } = filled());
    await page.setViewportSize({ width: 1440, height: 900 });
    await goTo(page, '/dashboards');
  });

  it('creates a Dashboard and shows live values while widgets are configured', async () => {
    await button('Add Dashboard').first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Wall of the plant');
    await button('Create', page.getByRole('dialog')).click();
    await page.waitForURL(/\/dashboards\/[^/]+\/edit$/);
    dashboardId = new URL(page.url()).pathname.split('/')[2] ?? '';
    await add('Value', 'Oil');
    await choose('Variable', 'Generator 1 controller · Oil pressure');
    await page.getByText('3.1 bar').waitFor();
    await add('Text', 'Note');
    await page.getByLabel('Text', { exact: true }).fill('Call the plant room');
    await page.getByText('Call the plant room').first().waitFor();
    await save();
    expect(await stored()).toMatchObject([
      { type: 'VALUE', title: 'Oil', x: 0, y: 0, w: 3, h: 2 },
      { type: 'TEXT', title: 'Note', x: 0, y: 2, w: 3, h: 2, text: 'Call the plant room' },
    ]);
  });

  it('tells Variables of one name apart by their Devices in picker, legend and palette', async () => {
    await addNamesake('Tank farm', 'Oil pressure');
    await add('Chart', 'Compared');
    const picker = page.getByRole('combobox', { name: 'Add a Variable' });
    await picker.click();
    await picker.fill('no such Device');
    await page.getByText('No results').waitFor();
    const legend = page.getByRole('listitem');
    const labels = ['Tank farm · Oil pressure', 'Generator 1 controller · Oil pressure'];
    for (const [index, typed] of ['tank farm', 'oil generator'].entries()) {
      await picker.fill(typed);
      await page
        .getByRole('option')
        .filter({ hasText: labels[index] ?? '' })
        .click();
    }
    for (const label of labels) await legend.filter({ hasText: label }).waitFor();
    await button('Remove').click();
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('combobox', { name: /^Search pages/ });
    await palette.fill('north');
    await page.getByRole('option', { name: /^North plant\s*Location$/ }).waitFor();
    await palette.fill('oil pressure');
    await page.getByRole('option', { name: /^Tank farm · Oil pressure/ }).waitFor();
    await page.getByRole('option', { name: /^Oil pressure low.*Alarm$/ }).waitFor();
    await page.keyboard.press('Escape');
  });

  it('moves and resizes a widget by keyboard, and moves overlapped widgets down', async () => {
    await button('Configure Note').click();
    await page.keyboard.press('ArrowRight');
    await page.keyboard.press('ArrowUp');
    await page.keyboard.press('Shift+ArrowRight');
    await page.keyboard.press('Shift+ArrowDown');
    await page.getByText('Note: column 2, row 2, 4 wide, 3 high').waitFor();
    await save();
    expect(await stored()).toMatchObject([
      { title: 'Oil', x: 0, y: 4 },
      { title: 'Note', x: 1, y: 1, w: 4, h: 3 },
    ]);
  });

  it('reports a concurrent change and keeps both changes after a reload', async () => {
    const [oil, note] = await stored();
    const clock = {
      id: 'clock',
      type: 'TEXT',
      title: 'Clock',
      x: 0,
      y: 30,
      w: 2,
      h: 2,
      text: 'noon',
    };
    await world.server.call(operations.updateDashboard, {
      params: { dashboardId },
      auth: world.server.administrator,
      body: { configuration: { version: 1, widgets: [oil, { ...note, text: 'Call us' }, clock] } },
    });
    await button('Configure Note').focus();
    await page.keyboard.press('ArrowRight');
    await button('Save draft').click();
    await page.getByText('Changed by someone else').waitFor();
    await button('Reload and keep my input').click();
    await button('Configure Clock').waitFor();
    await page.getByText('Call us').first().waitFor();
    await save();
    expect(await stored()).toMatchObject([
      { title: 'Oil' },
      { title: 'Note', x: 2, text: 'Call us' },
      { title: 'Clock' },
    ]);
    await button('Configure Clock').focus();
    await page.keyboard.press('Delete');
    await button('Configure Note').click();
    await page.keyboard.press('ArrowLeft');
    await page.getByLabel('Text', { exact: true }).fill('Call the plant room');
    await save();
  });

  it('drags and resizes a widget with the mouse', async () => {
    const drag = async (handle: Locator, right: number, down: number) => {
      // `hover` waits until the widget has stopped moving; its position is unknown before.
      await handle.hover();
      const box = await handle.boundingBox();
      if (!box) throw new Error('there is nothing to drag');
      const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
      await page.mouse.down();
      await page.mouse.move(x + (right * box.width) / 2, y + down / 2, { steps: 8 });
      await page.mouse.move(x + right * box.width, y + down, { steps: 8 });
      await page.mouse.up();
    };
    await drag(button('Configure Note'), 1, 0);
    await page.getByText('Note: column 6, row 2, 4 wide, 3 high').waitFor();
    const item = page.locator('.react-grid-item', { has: button('Configure Note') });
    await drag(item.locator('.react-resizable-handle'), 0, 116);
    await page.getByText('Note: column 6, row 2, 4 wide, 5 high').waitFor();
    await button('Undo').click();
    await page.getByText('Note: column 6, row 2, 4 wide, 3 high').waitFor();
  });

  it('duplicates and removes widgets, and asks before unsaved changes are lost', async () => {
    await button('Duplicate').click();
    await expect.poll(() => button('Configure Note').count()).toBe(2);
    await button('Remove').click();
    await expect.poll(() => button('Configure Note').count()).toBe(1);
    await page.getByRole('link', { name: 'Dashboards', exact: true }).click();
    const dialog = page.getByRole('dialog', { name: 'Leave without saving' });
    await button('Cancel', dialog).click();
    await dialog.waitFor({ state: 'detached' });
    expect(page.url()).toMatch(/edit$/);
  });

  it('publishes with a comment and then shows live values', async () => {
    await publish('First draft of the wall');
    await widget('Oil').getByText('3.1 bar').waitFor();
    await send({ engine: { oil: 3.3 } });
    await widget('Oil').getByText('3.3 bar').waitFor();
  });

  it('keeps the settings of a widget of unknown type', async () => {
    const widgets = await stored();
    const radar = { id: 'r', type: 'RADAR', x: 0, y: 20, w: 2, h: 2, beam: { width: null } };
    await world.server.call(operations.updateDashboard, {
      params: { dashboardId },
      auth: world.server.administrator,
      body: { configuration: { version: 1, widgets: [...widgets, radar] } },
    });
    await page.goto(`/dashboards/${dashboardId}/edit`);
    await button('Configure RADAR').click();
    await page.getByLabel('Title').fill('Ships');
    await save();
    expect((await stored()).at(-1)).toEqual({ ...radar, title: 'Ships' });
    await button('Configure Ships').focus();
    await page.keyboard.press('Delete');
    await button('Configure Note').click();
    await button('Remove').click();
    await publish('Without the note');
    await widget('Oil').waitFor();
    expect(await widget('Note').count()).toBe(0);
  });

  it('lists versions with their author and restores one as the draft', async () => {
    await button('More').click();
    await page.getByRole('menuitem', { name: 'Versions' }).click();
    const dialog = page.getByRole('dialog', { name: 'Versions' });
    await dialog.getByText('Without the note').waitFor();
    await dialog.getByText(`by ${world.server.adminEmail}`).first().waitFor();
    await button('Restore as draft', dialog).nth(1).click();
    await page.getByText('The draft has unpublished changes').waitFor();
    expect(await widget('Note').count()).toBe(0);
    await button('Show draft').click();
    await widget('Note').getByText('Call the plant room').waitFor();
    expect((await stored()).map(({ title }) => title)).toEqual(['Oil', 'Note']);
  });

  it('keeps the screen awake in full screen and reports stale data', async () => {
    await page.evaluate(() => {
      const request = navigator.wakeLock.request.bind(navigator.wakeLock);
      const locks: WakeLockSentinel[] = [];
      Object.assign(window, { locks });
      navigator.wakeLock.request = async (type) => {
        const lock = await request(type);
        locks.push(lock);
        return lock;
      };
    });
    const held = () =>
      page.evaluate(() => {
        const { locks } = window as Window & { locks?: WakeLockSentinel[] };
        return locks?.filter(({ released }) => !released).length;
      });
    await button('Full screen').click();
    await button('Exit full screen').waitFor();
    await expect.poll(held).toBe(1);
    expect(await page.getByText(/Data as of/).count()).toBe(0);
    world.network.disconnect();
    await page.getByText(/Connection lost .* Data as of/).waitFor();
    await send({ engine: { oil: 3.6 } });
    world.network.reconnect();
    await page.getByText(/Data as of/).waitFor({ state: 'detached' });
    await widget('Oil').getByText('3.6 bar').waitFor();
    await button('Exit full screen').click();
    await button('Full screen').waitFor();
    await expect.poll(held).toBe(0);
  });

  it('archives a Dashboard, lists it as archived and restores it', async () => {
    await page.getByRole('link', { name: 'Dashboards', exact: true }).first().click();
    await button('Archive: Wall of the plant').click();
    await button('Archive', page.getByRole('dialog')).click();
    await page.getByRole('link', { name: 'Wall of the plant' }).waitFor({ state: 'detached' });
    await page.getByText('Archived', { exact: true }).first().click();
    await page.waitForURL(/scope=archived/);
    await page.getByRole('link', { name: 'Wall of the plant' }).click();
    await page.getByText('This Dashboard is archived').waitFor();
    expect(await page.getByRole('link', { name: 'Edit', exact: true }).count()).toBe(0);
    await button('Restore').click();
    await page.getByRole('link', { name: 'Edit', exact: true }).waitFor();
  });
}
