import type { Page } from 'playwright-core';

export const MAX_SHIFT = 0.05;

type Observed = typeof window & { shift: number };

/** To be run in a page before its scripts: adds up how far its content moves by itself. */
export function observeShift(): void {
  Object.assign(window, { shift: 0 });
  new PerformanceObserver((list) => {
    for (const entry of list.getEntries() as (PerformanceEntry & { value: number })[])
      (window as Observed).shift += entry.value;
  }).observe({ type: 'layout-shift', buffered: true });
}

/** The layout shift since the page was opened. */
export function shiftOf(page: Page): Promise<number> {
  return page.evaluate(() => (window as Observed).shift);
}
