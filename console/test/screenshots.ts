import { mkdirSync, rmSync } from 'node:fs';
import { join } from 'node:path';
import { fileURLToPath } from 'node:url';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { goTo, signIn, startConsole, type TestConsole } from './support/console.ts';
import { type Fleet, fillServer } from './support/fleet.ts';
import { pagesOf } from './support/pages.ts';

const FOLDER = fileURLToPath(new URL('../../.build/screenshots', import.meta.url));
const SIZES = [
  { width: 360, height: 740 },
  { width: 768, height: 1024 },
  { width: 1440, height: 900 },
  { width: 2560, height: 1440 },
];
/** Charts and live values need this time; the pages have no common condition to wait for. */
const DRAWN_AFTER_MS = 700;

let world: TestConsole;
let fleet: Fleet;

beforeAll(async () => {
  rmSync(FOLDER, { recursive: true, force: true });
  world = await startConsole();
  fleet = await fillServer(world.server);
});

afterAll(() => world?.stop());

it.each(
  SIZES.flatMap((viewport) =>
    (['light', 'dark'] as const).map((colorScheme) => ({ viewport, colorScheme })),
  ),
)('every page in $colorScheme, $viewport.width wide', async ({ viewport, colorScheme }) => {
  const folder = join(FOLDER, `${colorScheme}-${viewport.width}`);
  mkdirSync(folder, { recursive: true });
  const context = await world.newContext({ viewport, colorScheme, timezoneId: 'Europe/Vienna' });
  const page = await context.newPage();
  await page.goto('/');
  await page.getByRole('button', { name: 'Sign in' }).waitFor();
  await page.screenshot({ path: join(folder, 'sign-in.png') });
  await signIn(page, world.server.adminEmail, world.server.adminPassword);
  // Rows under the pointer are highlighted and tooltips appear.
  await page.mouse.move(0, 0);
  for (const { name, path, shows } of pagesOf(fleet)) {
    await goTo(page, path);
    await page.getByText(shows).first().waitFor();
    await page.waitForTimeout(DRAWN_AFTER_MS);
    await page.screenshot({
      path: join(folder, `${name}.png`),
      fullPage: true,
      animations: 'disabled',
    });
  }
  await context.close();
  expect(world.browserErrors).toEqual([]);
});
