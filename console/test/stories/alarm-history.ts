import { expect, it } from 'vitest';
import { goTo } from '../support/console.ts';
import type { FilledConsole } from '../support/filled-console.ts';

/** The history of alarms, with an event that was raised a moment ago. Needs a signed-in page. */
export function alarmHistoryStory(filled: () => FilledConsole): void {
  it('shows a new event at the end of the timeline, whose times are complete', async () => {
    const { page, fleet } = filled();
    await goTo(page, '/alarms/history');
    const timeline = page.getByRole('figure', { name: 'Timeline of alarm events' });
    const bar = await timeline.locator(`a[href="/alarms/events/${fleet.eventId}"]`).boundingBox();
    const band = await timeline.locator('div').first().boundingBox();
    expect(bar?.width).toBeGreaterThanOrEqual(3);
    expect((bar?.x ?? 0) + (bar?.width ?? 0)).toBeLessThanOrEqual(
      (band?.x ?? 0) + (band?.width ?? 0) + 0.5,
    );
    const times = await timeline.locator('[aria-hidden] > span').allInnerTexts();
    for (const time of times) expect(time).toMatch(/, \d\d:\d\d:\d\d\s[AP]M$/);
  });
}
