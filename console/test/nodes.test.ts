import type { Page } from 'playwright-core';
import { afterAll, beforeAll, describe, expect, it } from 'vitest';
import { startSecondServer } from '../../server/test/support/server.ts';
import { violationsOf } from './support/axe.ts';
import { signIn, startConsole, type TestConsole } from './support/console.ts';
import { showNodesOfEachState } from './support/listed-nodes.ts';

const PATH = '/administration/nodes';
const ONE = 'This installation has one node';

let world: TestConsole;

beforeAll(async () => {
  world = await startConsole();
});

afterAll(() => world?.stop());

async function openNodes(
  options: Parameters<TestConsole['newContext']>[0] = {},
  prepare: (page: Page) => Promise<void> = async () => undefined,
): Promise<Page> {
  const context = await world.newContext(options);
  const page = await context.newPage();
  await prepare(page);
  await page.goto(PATH);
  await signIn(page, world.server.adminEmail, world.server.adminPassword);
  return page;
}

describe('the page of nodes', () => {
  it('says what to do while there is one node, and shows others as they come and go', async () => {
    const page = await openNodes();
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
    await page.context().close();
  });

  it.each(['light', 'dark'] as const)(
    'names each state in words, in %s without a serious accessibility violation',
    async (colorScheme) => {
      const page = await openNodes({ colorScheme }, showNodesOfEachState);
      const table = page.getByRole('table', { name: 'Nodes' });
      for (const state of [
        'Ready',
        'Older version',
        'Clock differs',
        'Unreachable',
        'Starting',
        'Stopping',
        'Silent',
        'Lost',
      ]) {
        await table.getByText(state, { exact: true }).waitFor();
      }
      const serious = (await violationsOf(page)).filter(
        ({ impact }) => impact === 'serious' || impact === 'critical',
      );
      expect(serious.map(({ id }) => id)).toEqual([]);
      await page.setViewportSize({ width: 360, height: 740 });
      await page.waitForFunction(
        () => document.documentElement.scrollWidth <= document.documentElement.clientWidth,
      );
      await page.context().close();
    },
  );

  it('logs no error', () => {
    expect(world.browserErrors).toEqual([]);
  });
});
