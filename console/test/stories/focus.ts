import { operations } from '@fieldwatch/contract';
import { expect, it } from 'vitest';
import { goTo } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';

const FOLDERS = ['Cooling', 'Exhaust'] as const;

/** Where the keyboard is after an action that removes what it was on. Needs a signed-in page. */
export function focusStory(filled: () => FilledConsole): void {
  it('moves to the next row when the row of a list is deleted by keyboard', async () => {
    const { page, world } = filled();
    const { server } = world;
    for (const name of FOLDERS) {
      const { status } = await server.call(operations.createVariableFolder, {
        body: { name },
        auth: server.administrator,
      });
      expect(status).toBeLessThan(300);
    }
    await goTo(page, '/administration/folders');
    for (const [name, next] of [
      ['Cooling', 'Engine'],
      ['Exhaust', 'Engine'],
    ] as const) {
      await page.getByRole('button', { name: `Delete: ${name}` }).focus();
      await page.keyboard.press('Enter');
      const dialog = page.getByRole('dialog');
      await dialog.getByRole('button', { name: 'Delete', exact: true }).focus();
      await page.keyboard.press('Enter');
      await dialog.waitFor({ state: 'detached' });
      const row = page.getByRole('row').filter({ has: page.locator(':focus') });
      await row.filter({ hasText: next }).waitFor();
    }
  });
}
