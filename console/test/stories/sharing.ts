import { readFile } from 'node:fs/promises';
import { operations } from '@fieldwatch/contract';
import { expect, it } from 'vitest';
import { seriousViolationsOf } from '../support/axe.ts';
import { goTo } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';
import { pageActions } from '../support/journey.ts';

/** Shares the Dashboard that the story before it has left on the page. */
export function sharingStory(filled: () => FilledConsole): void {
  it('saves a board as a picture of what it shows', async () => {
    const { page } = filled();
    const { button } = pageActions(page);
    await button('More').click();
    const download = page.waitForEvent('download');
    await page.getByRole('menuitem', { name: 'Save as picture (PNG)' }).click();
    const file = await download;
    expect(file.suggestedFilename()).toBe('Wall of the plant.png');
    const picture = await readFile(await file.path());
    const board = await page.locator('#board').boundingBox();
    expect(picture.subarray(1, 4).toString()).toBe('PNG');
    // The width is the first number of the header.
    expect(picture.readUInt32BE(16)).toBe(Math.round(board?.width ?? 0));
    expect(picture.length).toBeGreaterThan(2_000);
  });

  it('shows a board by a link to a browser without a session, until the link is revoked', async () => {
    const { world, page, fleet } = filled();
    const { button } = pageActions(page);
    await button('Share').click();
    const dialog = page.getByRole('dialog', { name: 'Share' });
    await dialog.getByLabel(/^Name of the link/).fill('Hall 1');
    await button('Create link', dialog).click();
    await dialog.getByText('Copy it now.').waitFor();
    const [link = ''] = /http\S+\/shared#fwshare_[\w-]{43}/.exec(await dialog.innerText()) ?? [];
    const guest = await (await world.newContext()).newPage();
    await guest.goto(link);
    const shared = guest.getByRole('region', { name: 'Oil' });
    await shared.getByText('3.6 bar').waitFor();
    await world.server.call(operations.writeReadings, {
      params: { deviceId: fleet.deviceId },
      body: { data: { engine: { oil: 3.7 } } },
    });
    await shared.getByText('3.7 bar').waitFor();
    expect((await seriousViolationsOf(guest)).map(({ id }) => id)).toEqual([]);
    await button('Revoke Hall 1', dialog).click();
    await button('Revoke', page.getByRole('dialog').last()).click();
    await guest.getByText('This board is not shared any more').waitFor();
    await guest.context().close();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });

  it('says of a shared list of all alarms that it has those of the board only', async () => {
    const { world, page, fleet } = filled();
    const { dashboardId } = fleet;
    const { body } = await world.server.call(operations.createShareLink, {
      params: { dashboardId },
      auth: world.server.administrator,
      body: { name: 'Hall 2', expiresDateTime: null },
    });
    const note = 'Alarms of this board only';
    const guest = await (await world.newContext()).newPage();
    await guest.goto(`/shared#${body.secret}`);
    await guest.getByRole('region', { name: 'Alarms' }).getByText(note).waitFor();
    await guest.context().close();
    await goTo(page, `/dashboards/${dashboardId}`);
    await page.getByRole('region', { name: 'Alarms' }).getByText('No active alarms').waitFor();
    expect(await page.getByText(note).count()).toBe(0);
  });
}
