import type { Page } from 'playwright-core';
import { expect, it } from 'vitest';
import { someOf } from '../../../server/test/support/soak.ts';
import { goTo } from '../support/console.ts';
import { HANDS, handOf } from '../support/hands.ts';

const CAUSE = /: Utility lost$/;
const CONSEQUENCE = /: Generator fuel below 20 %$/;

/** From the start page of the demo to the Variable that explains its alarms. */
export function incidentStory(page: () => Page): void {
  it.each(someOf(HANDS, 0.5))(
    'leads from its alarms to the cause of the incident by %s',
    async (by) => {
      const hand = handOf(page(), by);
      const main = page().getByRole('main');
      await goTo(page(), '/');
      await page().getByRole('button', { name: 'Account' }).waitFor();
      await hand.open({ name: 'Alarms', key: 'a' });
      // The consequence is in the same group, and it is not acknowledged.
      const group = main.locator('section', { has: page().getByRole('link', { name: CAUSE }) });
      await group.getByRole('link', { name: CONSEQUENCE }).waitFor();
      await hand.press(group.getByRole('link', { name: CAUSE }));
      await page().getByRole('heading', { name: CAUSE }).waitFor();
      await main
        .getByText(/^Storm damage at the substation/)
        .first()
        .waitFor();
      const chart = main.getByRole('img', { name: /Utility available/ });
      await chart.waitFor();
      expect((await chart.boundingBox())?.width).toBeGreaterThan(200);
      await hand.press(main.getByRole('link', { name: 'Utility available' }));
      await page().waitForURL(/\/variables\//);
      await page().getByRole('heading', { name: 'Utility available' }).waitFor();
      await chart.waitFor();
      await main.getByRole('link', { name: CAUSE }).first().waitFor();
    },
  );
}
