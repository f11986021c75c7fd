import { operations } from '@fieldwatch/contract';
import { expect, it } from 'vitest';
import { goTo } from '../support/console.ts';
import type { FleetJourney } from '../support/fleet-journey.ts';
import { type Hand, handOf } from '../support/hands.ts';

const DEVICE = 'Fuel tank 0017';

/** Publishes a board with one value, found among 20 000 Variables, and leaves its page open. */
async function build({ page, button }: FleetJourney, hand: Hand, name: string): Promise<void> {
  await goTo(page, '/');
  await hand.open({ name: 'Dashboards', key: 'b' });
  await hand.press(button('Add Dashboard').first());
  const creation = page.getByRole('dialog', { name: 'Add a Dashboard' });
  await hand.write(creation.getByLabel('Name'), name);
  await hand.press(button('Create', creation));
  await page.waitForURL(/\/edit$/);
  await hand.press(button('Add widget'));
  await hand.press(page.getByRole('menuitem', { name: 'Value', exact: true }));
  await hand.write(page.getByLabel('Title'), 'Level');
  const option = page.getByRole('option').filter({ hasText: `${DEVICE} · Fuel level` });
  const picker = page.getByRole('combobox', { name: 'Variable', exact: true });
  await picker.focus();
  await page.keyboard.press('ArrowDown');
  await page.getByText(/^Showing the first \d+ of 20,000; type to narrow$/).waitFor();
  await hand.select(picker, `${DEVICE} fuel level`, option);
  await page.getByText(/^\d[\d.]* %$/).waitFor();
  await hand.press(button('Publish'));
  const publishing = page.getByRole('dialog', { name: 'Publish' });
  await hand.write(publishing.getByLabel('Comment'), 'For the hall');
  await hand.press(button('Publish', publishing));
  await button('Share').waitFor();
}

/** A Dashboard from its first widget to a screen elsewhere; the same by mouse is the Dashboard editor's story. */
export function fleetBoardsStory(journey: () => FleetJourney): void {
  it('builds a Dashboard and shares it until the link is revoked by keyboard alone', async () => {
    const { world, page, button } = journey();
    const hand = handOf(page, 'keyboard alone');
    await build(journey(), hand, 'Hall');
    await hand.press(button('Share'));
    const dialog = page.getByRole('dialog', { name: 'Share' });
    await hand.write(dialog.getByLabel(/^Name of the link/), 'Hall 1');
    await hand.press(button('Create link', dialog));
    await dialog.getByText('Copy it now.').waitFor();
    const [link = ''] = /http\S+\/shared#fwshare_[\w-]{43}/.exec(await dialog.innerText()) ?? [];
    const guest = await (await world.newContext()).newPage();
    await guest.goto(link);
    const shared = guest.getByRole('region', { name: 'Level' });
    await shared.waitFor();
    const body = { search: DEVICE, take: 1 };
    const found = await world.server.call(operations.searchDevices, { body });
    await world.server.call(operations.writeReadings, {
      params: { deviceId: found.body.items[0].id },
      body: { data: { fuel: { level: 12.5 } } },
    });
    await shared.getByText('12.5 %').waitFor();
    await hand.press(button('Revoke Hall 1', dialog));
    await hand.press(button('Revoke', page.getByRole('dialog', { name: /Hall 1/ })));
    await guest.getByText('This board is not shared any more').waitFor();
    expect(await shared.count()).toBe(0);
    await guest.reload();
    await guest.getByText('This board is not shared any more').waitFor();
    expect(await guest.getByText('12.5 %').count()).toBe(0);
    await guest.context().close();
    await dialog.getByText('No links yet').waitFor();
    await page.keyboard.press('Escape');
    await dialog.waitFor({ state: 'detached' });
  });
}
