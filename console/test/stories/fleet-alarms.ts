import { expect, it } from 'vitest';
import { goTo } from '../support/console.ts';
import type { FleetJourney } from '../support/fleet-journey.ts';
import { HANDS, handOf } from '../support/hands.ts';

/** The list of active alarms. */
export function fleetAlarmsStory(journey: () => FleetJourney): void {
  it.each(HANDS)('shelves a noisy alarm from the list, which it leaves, by %s', async (by) => {
    const { page, button } = journey();
    const hand = handOf(page, by);
    await goTo(page, '/');
    await hand.open({ name: 'Alarms', key: 'a' });
    const row = page.getByRole('listitem').filter({ has: button(/^Shelve: Oil/) });
    const name = await row.first().getByRole('link').first().innerText();
    const status = page.getByRole('main').getByRole('status').first();
    const before = await status.innerText();
    const [active = 0, shelved = 0] = [/(\d+) active/, /(\d+) shelved/].map((count) =>
      Number(count.exec(before)?.[1] ?? 0),
    );
    await hand.press(button(`Shelve: ${name}`));
    const dialog = page.getByRole('dialog', { name: `Shelve ${name}` });
    await hand.write(dialog.getByLabel('Reason'), 'The sender is loose');
    await hand.press(button('Shelve', dialog));
    await dialog.waitFor({ state: 'detached' });
    const left = active - shelved - 1;
    await page.getByText(`${left} of ${active} active · ${shelved + 1} shelved`).waitFor();
    // Nothing moves under the pointer; in another layout the row has no place any more.
    await page.getByText('Flat', { exact: true }).click();
    await page.getByRole('list', { name: 'Active alarms' }).waitFor();
    expect(await page.getByRole('link', { name, exact: true }).count()).toBe(0);
    await hand.press(button('show'));
    await page.getByRole('link', { name, exact: true }).waitFor();
  });
}
