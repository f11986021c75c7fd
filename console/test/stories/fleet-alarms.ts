import { expect, it } from 'vitest';
import { rowsIn } from '../../../server/test/support/database.ts';
import { someOf } from '../../../server/test/support/soak.ts';
import { goTo } from '../support/console.ts';
import type { FleetJourney } from '../support/fleet-journey.ts';
import { HANDS, handOf } from '../support/hands.ts';

/** Above the maximum that the list shows. */
const FLOOD = 1_050;

/** Copies of one active event, each of an Alarm of its own and a minute older. */
const MORE_EVENTS = `insert into alarm_events
  select (jsonb_populate_record(event, jsonb_build_object('id', gen_random_uuid(),
    'alarm_id', gen_random_uuid(),
    'raised_at', event.raised_at - n * interval '1 minute'))).*
  from alarm_events event, generate_series(1, $2::int) n
  where event.id = (select id from alarm_events where organization_id = $1 and cleared_at is null
    order by raised_at limit 1)`;

/** The list of active alarms. The last test raises more alarms than the list shows. */
export function fleetAlarmsStory(journey: () => FleetJourney): void {
  it.each(someOf(HANDS, 0.5))(
    'shelves a noisy alarm from the list, which it leaves, by %s',
    async (by) => {
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
    },
  );

  it('says that it lists the newest only when more alarms are active', async () => {
    const { page, world, fleet } = journey();
    const { databaseUrl, organizationId } = world.server;
    await rowsIn(databaseUrl, MORE_EVENTS, [organizationId, FLOOD]);
    await goTo(page, '/alarms?grouping=flat');
    await page.reload();
    // No roles here: to compute those of a thousand rows takes long.
    const status = page.locator('main [role="status"]');
    const count = (fleet.alarmCount + FLOOD).toLocaleString('en-US');
    await status.filter({ hasText: `The newest 1,000 of ${count} active alarms are` }).waitFor();
    await page.locator('[data-shortcut-search]').fill('no such alarm');
    await status.filter({ hasText: new RegExp(`^0 of ${count} active`) }).waitFor();
    await status.locator('a').click();
    await page.waitForURL(/\/alarms\/history/);
  });
}
