import { expect, it } from 'vitest';
import { signIn } from '../support/console.ts';
import type { Journey } from '../support/journey.ts';

/** Signs in at the page of the Device and archives it, which ends the Device's session; restores it. */
export function archiveStory(journey: () => Journey): void {
  it('offers to archive an active Device, and to restore an archived one', async () => {
    const { world, page, button } = journey();
    const { adminEmail, adminPassword } = world.server;
    await signIn(page, adminEmail, adminPassword);
    await page.getByRole('heading', { name: 'Generator 1' }).waitFor();
    const archive = page.getByRole('menuitem', { name: 'Archive' });
    const restore = page.getByRole('menuitem', { name: 'Restore' });
    const badge = page.getByRole('main').getByText('Archived', { exact: true });
    await button('More').click();
    await archive.waitFor();
    expect(await restore.count()).toBe(0);
    await archive.click();
    await button('Archive', page.getByRole('dialog')).click();
    await badge.waitFor();
    await button('More').click();
    await restore.waitFor();
    expect(await archive.count()).toBe(0);
    await restore.click();
    await badge.waitFor({ state: 'detached' });
  });
}
