import { operations } from '@fieldwatch/contract';
import { expect, it } from 'vitest';
import { basic } from '../../../server/test/support/call.ts';
import { startNeighbour } from '../../../server/test/support/server.ts';
import { goTo, signIn } from '../support/console.ts';
import type { Journey } from '../support/journey.ts';

/** API keys, sessions and invitations. Each test continues where the previous one ended. */
export function accountStory(journey: () => Journey): void {
  it('creates a working API key and revokes it', async () => {
    const { world, page, button } = journey();
    await page.getByRole('link', { name: 'Administration' }).click();
    await page.getByRole('tab', { name: 'API keys' }).click();
    await button('Create API key').click();
    const form = page.getByRole('dialog', { name: 'Create an API key' });
    await form.getByLabel('Name').fill('Integration');
    await button('Create', form).click();
    await form.getByText('Select at least one permission.').waitFor();
    await form.getByLabel('Read assets').check();
    await button('Create', form).click();
    const shown = page.getByRole('dialog', { name: 'API key created' });
    const command = await shown.getByRole('region', { name: 'Example request' }).innerText();
    const [, id = '', secret = ''] = /-u '([^:]+):([^']+)'/.exec(command) ?? [];
    const auth = `Basic ${btoa(`${id}:${secret}`)}`;
    expect((await world.server.call(operations.listAssets, { auth })).body.count).toBe(1);
    await button('I have copied it', shown).click();
    await button('Revoke: Integration').click();
    await button('Revoke', page.getByRole('dialog')).click();
    await page.getByText('Integration', { exact: true }).waitFor({ state: 'detached' });
    expect((await world.server.call(operations.listAssets, { auth })).status).toBe(401);
  });

  it('revokes an API key together with its descendants', async () => {
    const { world, page, button } = journey();
    const { call } = world.server;
    const permissions = ['ManageApiKeys', 'ReadAssets'];
    const parent = (
      await call(operations.createApiKey, { body: { name: 'Provisioning', permissions } })
    ).body;
    const auth = basic(parent.id, parent.secret);
    const child = (
      await call(operations.createApiKey, {
        auth,
        body: { name: 'Provisioned', permissions: ['ReadAssets'] },
      })
    ).body;
    await page.reload();
    await button('Revoke: Provisioning').click();
    const question = page.getByRole('dialog');
    await question.getByLabel('Also revoke the API key that this key created').check();
    await button('Revoke', question).click();
    await button('Revoke: Provisioned').waitFor({ state: 'detached' });
    const childAuth = basic(child.id, child.secret);
    expect((await call(operations.listAssets, { auth: childAuth })).status).toBe(401);
  });

  it('asks once for a deleted record that the audit log names', async () => {
    const { world, page } = journey();
    const { call } = world.server;
    const { id } = (await call(operations.createLocation, { body: { name: 'Short-lived' } })).body;
    await call(operations.deleteLocation, { params: { locationId: id } });
    const asked: string[] = [];
    page.on('request', (request) => {
      if (request.url().includes(id)) asked.push(request.url());
    });
    for (const path of ['/administration/audit-log', '/devices', '/administration/audit-log']) {
      await goTo(page, path);
      const shown =
        path === '/devices'
          ? page.getByRole('heading', { name: 'Devices', exact: true })
          : page.getByText('Short-lived (deleted)').first();
      await shown.waitFor();
    }
    expect(asked).toHaveLength(1);
  });

  it('ends the sessions of other clients, where a browser says so', async () => {
    const { world, page, button } = journey();
    const { server } = world;
    const other = await server.signIn(server.adminEmail, server.adminPassword);
    const browser = await (await world.newContext()).newPage();
    await browser.goto('/locations');
    await signIn(browser, server.adminEmail, server.adminPassword);
    await button('Account').click();
    await page.getByRole('menuitem', { name: 'Your account' }).click();
    await page.getByText('This session').waitFor();
    await button('End all others').click();
    await button('End all others', page.getByRole('dialog')).click();
    await page.getByText('All other sessions ended').waitFor();
    expect((await server.call(operations.retrieveMe, { auth: other })).status).toBe(401);
    await browser.reload();
    const ended = browser.getByText('Your session expired or was ended elsewhere');
    await ended.waitFor();
    await signIn(browser, server.adminEmail, server.adminPassword);
    expect(await ended.count()).toBe(0);
    await browser.context().close();
  });

  it('accepts an invitation of another organization', async () => {
    const { world, page, button } = journey();
    const neighbour = await startNeighbour(world.server);
    try {
      await neighbour.call(operations.createUser, {
        body: { email: world.server.adminEmail, role: 'VIEWER' },
      });
      await page.reload();
      await button('Accept').click();
      await page.getByText('You are now a member of').waitFor();
      await button('Accept').waitFor({ state: 'detached' });
      await button('Account').click();
      const names = await page.getByRole('menuitem').allInnerTexts();
      expect(names.length).toBeGreaterThan(4);
      await page.keyboard.press('Escape');
    } finally {
      await neighbour.stop();
    }
  });
}
