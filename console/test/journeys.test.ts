import { operations } from '@fieldwatch/contract';
import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { accountStory } from './stories/account.ts';
import { alarmStory } from './stories/alarms.ts';
import { archiveStory } from './stories/archive.ts';
import { chartStory } from './stories/charts.ts';
import { installedStory } from './stories/installed.ts';
import { lorawanStory } from './stories/lorawan.ts';
import { pagingStory } from './stories/paging.ts';
import { goTo, signIn, type TestConsole } from './support/console.ts';
import { type Journey, startJourney } from './support/journey.ts';

let journey: Journey;
let world: TestConsole;
let page: Page;

beforeAll(async () => {
  journey = await startJourney();
  ({ world, page } = journey);
});

afterAll(() => journey?.stop());

const publish = (payload: object) => journey.publish(payload);
const button: Journey['button'] = (name, within) => journey.button(name, within);

/** The tests run in this order: each continues where the previous one ended. */
describe('the console for an administrator', () => {
  it('reports a wrong password and signs in with the right one', async () => {
    const { adminEmail, adminPassword } = world.server;
    await page.goto('/');
    await page.getByLabel('Email').fill(adminEmail);
    await page.getByLabel('Password', { exact: true }).fill('something else');
    await button('Sign in').click();
    await page.getByText('Wrong email or password.').waitFor();
    await signIn(page, adminEmail, adminPassword);
  });

  it('shows the first steps in an empty organization and field errors in the Device form', async () => {
    await page.getByRole('heading', { name: 'Welcome to Fieldwatch' }).waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Gen');
    await button('Create').click();
    await page.getByText('Must have at least 5 characters').waitFor();
    await page.getByRole('textbox', { name: 'Name' }).fill('Generator 1');
    await button('Create').click();
    const command = await page.getByRole('region', { name: 'Over MQTT' }).innerText();
    const [, username = '', password = '', topic = ''] =
      /-u (\S+) -P '([^']+)'[\s\S]*-t '([^']+)'/.exec(command) ?? [];
    await journey.connect({ username, password, topic });
  });

  it('checks off the steps as the Device publishes and creates a Variable from a path', async () => {
    await publish({ engine: { rpm: 1800 } });
    await page.getByText('Reading received.').waitFor();
    await button('Create a Variable from engine.rpm').click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Name').inputValue()).toBe('Rpm');
    expect(await dialog.getByLabel('Path').inputValue()).toBe('engine.rpm');
    await dialog.getByLabel('Name').fill('Engine speed');
    await dialog.getByLabel('Unit').fill('rpm');
    await button('Create', dialog).click();
    await page.getByText('Publish again to see its value.').waitFor();
    expect(await page.getByRole('region', { name: 'Over MQTT' }).innerText()).toMatch(/-P '[^']+'/);
    await publish({ engine: { rpm: 1810 } });
    await page.getByText('1,810 rpm').waitFor();
  });

  it('creates a Variable from an unmatched path on the Device page', async () => {
    await page.getByRole('link', { name: 'Devices', exact: true }).click();
    await page.getByRole('link', { name: 'Generator 1' }).click();
    await publish({ oil: { pressure: 4.2 } });
    await page.getByRole('tab', { name: /Unmatched paths \(1\)/ }).click();
    await button('Create Variable: oil.pressure').click();
    const dialog = page.getByRole('dialog');
    await dialog.getByLabel('Unit').fill('bar');
    await button('Create', dialog).click();
    await page.getByText('No unmatched paths').waitFor();
  });

  it('says why a short path can be no Variable, and suggests a longer one', async () => {
    await publish({ kw: 12 });
    await page.getByText(/^Too short: .*such as values\.kw/).waitFor();
    await button('Create Variable: kw').click();
    const dialog = page.getByRole('dialog');
    expect(await dialog.getByLabel('Path').inputValue()).toBe('values.kw');
    await button('Cancel', dialog).click();
  });

  it('updates values live without a reload', async () => {
    await page.getByRole('tab', { name: 'Values' }).click();
    for (const pressure of [4.1, 4.3, 4.05]) {
      await publish({ oil: { pressure } });
      await page.getByText(`${pressure} bar`, { exact: true }).first().waitFor();
    }
    await page.getByText('Online').first().waitFor();
  });

  it('sets the online window of a Device and resets it to the server default', async () => {
    await page.getByRole('tab', { name: 'Details' }).click();
    for (const [minutes, says] of [
      ['90', '90 minutes after last seen'],
      ['', 'Server default'],
    ] as const) {
      await button('Change online window').click();
      const dialog = page.getByRole('dialog', { name: 'Change online window' });
      await dialog.getByLabel(/^Minutes/).fill(minutes);
      await button('Save', dialog).click();
      await page.getByText(says).waitFor();
    }
    await page.getByRole('tab', { name: 'Values' }).click();
  });

  it('reports a concurrent edit and keeps the input after a reload', async () => {
    await page.getByRole('link', { name: 'Pressure', exact: true }).click();
    await button('Edit').click();
    const dialog = page.getByRole('dialog');
    const [, variableId = ''] = /variables\/([^?]+)/.exec(page.url()) ?? [];
    const change = (body: object) =>
      world.server.call(operations.updateVariable, { params: { variableId }, body });
    await dialog.getByLabel('Name').fill('Oil');
    await dialog.getByLabel('Description').fill('At the filter');
    expect((await change({ name: 'Pressure 2', unit: 'kPa' })).status).toBe(200);
    await button('Save', dialog).click();
    await dialog.getByText('Changed by someone else').waitFor();
    await button('Reload and keep my input', dialog).click();
    await dialog.getByText('Changed by someone else to “Pressure 2”').waitFor();
    expect(await dialog.getByLabel('Unit').inputValue()).toBe('kPa');
    await dialog.getByLabel('Name').fill('Pressure');
    await dialog.getByLabel('Unit').fill('bar');
    await button('Save', dialog).click();
    await dialog.waitFor({ state: 'detached' });
    const stored = await world.server.call(operations.retrieveVariable, { params: { variableId } });
    expect(stored.body).toMatchObject({
      name: 'Pressure',
      unit: 'bar',
      description: 'At the filter',
    });
  });

  chartStory(() => journey);

  alarmStory(() => journey);

  it('binds Variables to an Asset and undoes an unbind', async () => {
    await page.getByRole('link', { name: 'Assets', exact: true }).click();
    await button('Add Asset').first().click();
    await page.getByRole('dialog').getByLabel('Name').fill('Genset A');
    await button('Create', page.getByRole('dialog')).click();
    await page.getByRole('link', { name: 'Genset A' }).click();
    await button('Bind Variables').click();
    await page.getByRole('checkbox', { name: 'Engine speed' }).check();
    await page.getByRole('checkbox', { name: 'Pressure' }).check();
    await button('Bind 2').click();
    await page.getByText('1,810 rpm').waitFor();
    await button('Unbind: Pressure').click();
    await page.getByRole('link', { name: 'Pressure', exact: true }).waitFor({ state: 'detached' });
    await button('Undo').click();
    await page.getByRole('link', { name: 'Pressure', exact: true }).waitFor();
  });

  it('deletes an Asset and reports a failed deletion', async () => {
    await page.getByRole('link', { name: 'Assets', exact: true }).first().click();
    await button('Add Asset').click();
    await page.getByRole('dialog').getByLabel('Name').fill('Genset B');
    await button('Create', page.getByRole('dialog')).click();
    await page.getByRole('link', { name: 'Genset B' }).click();
    await button('Delete').click();
    const dialog = page.getByRole('dialog', { name: 'Delete Genset B?' });
    world.network.disconnect();
    await button('Delete', dialog).click();
    await dialog.getByText('The server cannot be reached.').waitFor();
    world.network.reconnect();
    await button('Delete', dialog).click();
    await page.waitForURL(/\/assets$/);
    await page.getByRole('link', { name: 'Genset B' }).waitFor({ state: 'detached' });
    await page.goBack();
    await page.getByText('There is no such Asset.').waitFor();
    await page.getByRole('link', { name: 'All Assets' }).click();
    await page.getByRole('link', { name: 'Genset A' }).waitFor();
  });

  accountStory(() => journey);

  pagingStory(() => journey);
  lorawanStory(() => journey);

  it('reports a lost stream and shows missed values after reconnecting', async () => {
    const main = page.getByRole('navigation', { name: 'Main' });
    await main.getByRole('link', { name: 'Devices', exact: true }).click();
    await page.getByRole('link', { name: 'Generator 1' }).click();
    await page.getByText('4.2 bar', { exact: true }).first().waitFor();
    await page.locator('[data-live="live"]').waitFor();
    world.network.disconnect();
    await page.getByText('Connection lost, reconnecting').waitFor();
    await publish({ oil: { pressure: 3.9 } });
    await goTo(page, '/locations');
    await page.getByText('The server cannot be reached.').waitFor();
    world.network.reconnect();
    await page.getByText('No Locations yet').waitFor();
    await page.goBack();
    await page.locator('[data-live="live"]').waitFor();
    await page.getByText('3.9 bar', { exact: true }).first().waitFor();
  });

  it('stays signed in after a reload and signs out in all tabs', async () => {
    const other = await page.context().newPage();
    await other.goto('/devices');
    await other.getByRole('link', { name: 'Generator 1' }).waitFor();
    await page.reload();
    await page.getByRole('heading', { name: 'Generator 1' }).waitFor();
    await button('Account').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await button('Sign in').waitFor();
    await other.getByRole('button', { name: 'Sign in' }).waitFor();
    expect(await other.getByText('Your session expired').count()).toBe(0);
    await other.close();
  });

  archiveStory(() => journey);

  installedStory(() => journey);

  it('logs no error in the browser', () => {
    expect(world.browserErrors).toEqual([]);
  });
});

describe('the console for a viewer', () => {
  const PASSWORD = 'a password of a viewer';

  it('shows all data and no button without permission', async () => {
    const { server } = world;
    await server.call(operations.createUser, {
      body: { email: 'viewer@example.com', role: 'VIEWER', password: PASSWORD },
    });
    await button('Account').click();
    await page.getByRole('menuitem', { name: 'Sign out' }).click();
    await button('Sign in').waitFor();
    let release = (): void => undefined;
    const released = new Promise<void>((resolve) => {
      release = resolve;
    });
    await page.route('**/sites?*', async (route) => {
      await released;
      await route.continue();
    });
    await signIn(page, 'viewer@example.com', PASSWORD);
    await goTo(page, '/');
    await page.getByRole('heading', { name: 'Overview' }).waitFor();
    expect(await page.getByText('none yet').count()).toBe(0);
    release();
    await page.getByText('none yet').waitFor();
    await page.getByRole('link', { name: 'Devices', exact: true }).first().click();
    await page.getByRole('link', { name: 'Generator 1' }).click();
    await page.getByRole('link', { name: 'Engine speed' }).waitFor();
    const selecting = page.getByRole('checkbox', { name: /^select /i });
    expect(await selecting.count()).toBe(0);
    const forbidden = /^(add|edit|delete|create|more|new password|archive)/i;
    expect(await page.getByRole('button', { name: forbidden }).count()).toBe(0);
    await page.getByRole('link', { name: 'Assets', exact: true }).click();
    await page.getByRole('link', { name: 'Genset A' }).click();
    await page.getByText('Engine speed').first().waitFor();
    expect(
      await page.getByRole('button', { name: /^(add|edit|delete|bind|unbind)/i }).count(),
    ).toBe(0);
    await goTo(page, '/alarms/configurations');
    await page.getByText('Oil pressure low').waitFor();
    expect(await selecting.count()).toBe(0);
    expect(await page.getByRole('link', { name: 'Add Alarm' }).count()).toBe(0);
    await page.getByRole('link', { name: 'Oil pressure low' }).click();
    const settings = page.getByRole('table', { name: 'Settings' });
    await settings.getByRole('row', { name: 'Condition is below 3.5 bar' }).waitFor();
    await page.getByText('Backtest on stored history').waitFor();
    expect(await page.getByRole('main').getByRole('textbox').count()).toBe(0);
    await goTo(page, '/alarms/configurations/new');
    await page.getByText('Permission denied').waitFor();
    expect(await page.getByRole('link', { name: 'Administration' }).count()).toBe(0);
    await page.keyboard.press('Control+k');
    const palette = page.getByRole('listbox');
    await palette.getByRole('option', { name: 'Locations' }).waitFor();
    expect(await palette.getByRole('option', { name: 'Administration' }).count()).toBe(0);
    await page.keyboard.press('Escape');
    await goTo(page, '/administration');
    await page.getByText('You have no permission for any administration page').waitFor();
  });
});
