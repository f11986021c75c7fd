import { expect, it } from 'vitest';
import { startSecondServer } from '../../../server/test/support/server.ts';
import { seriousViolationsOf } from '../support/axe.ts';
import { goTo, settled } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';
import { showNodesOfEachState } from '../support/listed-nodes.ts';

const PATH = '/administration/nodes';
const ONE = 'This installation has one node';
const STATES = [
  'Ready',
  'Older version',
  'Clock differs',
  'Unreachable',
  'Starting',
  'Stopping',
  'Silent',
  'Lost',
];

/** The page of nodes, of a signed-in administrator. */
export function nodesStory(filled: () => FilledConsole): void {
  it('says what to do while there is one node, and shows others as they come and go', async () => {
    const { world, page } = filled();
    await goTo(page, PATH);
    const rows = page.getByRole('table', { name: 'Nodes' }).locator('tbody tr');
    await page.getByText(ONE).waitFor();
    expect(await rows.count()).toBe(1);
    expect(await rows.first().innerText()).toContain('Answers this page.');
    const second = await startSecondServer(world.server);
    try {
      await expect
        .poll(() => rows.allInnerTexts(), { timeout: 30_000 })
        .toEqual([expect.stringMatching(/Ready.*128/s), expect.stringMatching(/Ready.*128/s)]);
      expect(await page.getByText(ONE).count()).toBe(0);
    } finally {
      await second.stop();
    }
    await page.getByText(ONE).waitFor({ timeout: 30_000 });
  });

  it('names each state in words, in both themes without a serious accessibility violation', async () => {
    const { page } = filled();
    await goTo(page, '/account');
    await page.getByText('This session').waitFor();
    await page.setViewportSize({ width: 1280, height: 800 });
    await showNodesOfEachState(page);
    await goTo(page, PATH);
    const table = page.getByRole('table', { name: 'Nodes' });
    for (const state of STATES) await table.getByText(state, { exact: true }).waitFor();
    for (const [theme, rules] of [['light'], ['dark', ['color-contrast']]] as const) {
      await page.emulateMedia({ colorScheme: theme });
      await settled(page, theme);
      const found = await seriousViolationsOf(page, rules && { rules });
      expect([theme, found.map(({ id }) => id)]).toEqual([theme, []]);
    }
    await page.setViewportSize({ width: 360, height: 740 });
    await page.waitForFunction(
      () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
    );
    await page.unrouteAll();
  });
}
