import type { Page } from 'playwright-core';
import { afterAll, beforeAll, expect, it } from 'vitest';
import { someOf } from '../../../server/test/support/soak.ts';
import type { FilledConsole } from '../support/filled-console.ts';
import { MAX_SHIFT, observeShift, shiftOf } from '../support/layout-shift.ts';
import { pageNamed } from '../support/pages.ts';

/** A phone, where one thing that appears moves all the others. */
const PHONE = { width: 360, height: 800 };

/** Pages whose parts come from several replies. */
const PAGES = ['devices', 'device', 'asset', 'location', 'account', 'audit-log'];

/** Loads some of the pages. Needs a signed-in page. */
export function layoutShiftStory(filled: () => FilledConsole): void {
  let fresh: Page;

  beforeAll(async () => {
    fresh = await filled().page.context().newPage();
    await fresh.addInitScript(observeShift);
    await fresh.setViewportSize(PHONE);
  });

  afterAll(() => fresh?.close());

  it.each(someOf(PAGES, 1 / 3))(
    'the page %s keeps its layout while it is loading on a phone',
    async (name) => {
      const { path, shows } = pageNamed(filled().fleet, name);
      await fresh.goto(path);
      await fresh.getByText(shows).first().waitFor();
      await fresh.locator('[data-live="live"]').waitFor();
      await expect.poll(() => fresh.getByRole('status', { name: 'Loading' }).count()).toBe(0);
      expect(await shiftOf(fresh)).toBeLessThanOrEqual(MAX_SHIFT);
    },
  );
}
