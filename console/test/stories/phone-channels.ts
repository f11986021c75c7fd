import { expect, it } from 'vitest';
import { goTo } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';
import { pageActions } from '../support/journey.ts';

/** Phone channels, of a signed-in administrator. */
export function phoneChannelStory(filled: () => FilledConsole): void {
  it('is made of a preset, and shows the address for replies to copy', async () => {
    const { page } = filled();
    const { button, choose } = pageActions(page);
    await goTo(page, '/administration/phone-channels');
    await button('Add phone channel').click();
    await choose('Service', '46elks');
    const form = page.getByRole('dialog', { name: 'Add a phone channel' });
    await form.getByLabel('Credential').fill('user:password');
    const inputOf = (label: string) => form.getByLabel(label).inputValue();
    expect(await inputOf('Field with the text of a reply (optional)')).toBe('message');
    expect(await inputOf('Its values for messages that will not arrive')).toBe('failed');
    await button('Create', form).click();
    await button('Address for replies: 46elks').click();
    const dialog = page.getByRole('dialog', { name: 'Replies to 46elks' });
    await dialog.getByText(/^https:\/\/watch\.example\.com\/p\/[\w-]+\/replies$/).waitFor();
    await button('Copy Address for replies', dialog).click();
    await button('Copied', dialog).waitFor();
    await page.keyboard.press('Escape');
    await button('Edit: 46elks').click();
    const edited = page.getByRole('dialog', { name: 'Edit phone channel' });
    await button('Copy Address for replies', edited).waitFor();
    await page.keyboard.press('Escape');
  });
}
