import { expect, it } from 'vitest';
import { signIn } from '../support/console.ts';
import type { Journey } from '../support/journey.ts';

/** Signs in and archives and restores the Device, whose session then is over. */
export function archiveStory(journey: () => Journey): void {
  it('offers to archive an active Device, and to restore an archived one', async () => {
    const { world, page, button } = journey();
    const { adminEmail, adminPassword } = world.server;
    await signIn(page, adminEmail, adminPassword);
    await page.getByRole('link', { name: 'Devices', exact: true }).click();
    await page.getByRole('link', { name: 'Generator 1' }).click();
    const [archive, restore] = ['Archive', 'Restore'].map((name) =>
      page.getByRole('menuitem', { name }),
    );
    const badge = page.getByRole('main').getByText('Archived', { exact: true });
    await button('More').click();
    await archive?.waitFor();
    expect(await restore?.count()).toBe(0);
    await archive?.click();
    await button('Archive', page.getByRole('dialog')).click();
    await badge.waitFor();
    await button('More').click();
    await restore?.waitFor();
    expect(await archive?.count()).toBe(0);
    await restore?.click();
    await badge.waitFor({ state: 'detached' });
  });
}
