import axe from 'axe-core';
import type { Page } from 'playwright-core';

export interface AxeOptions {
  /** All rules when absent. */
  readonly rules?: readonly string[];
  /** Selector of the elements that are left out. */
  readonly exclude?: string;
}

/** Once in each document: loading axe takes as long as some of its runs. */
async function addAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
}

/** What axe finds in the page. */
export async function violationsOf(
  page: Page,
  { rules, exclude }: AxeOptions = {},
): Promise<axe.Result[]> {
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    ...(rules ? { runOnly: [...rules] } : {}),
  };
  await addAxe(page);
  return await page.evaluate(
    async ([excluded, chosen]) => {
      const { axe } = window as Window & typeof globalThis & { axe: typeof import('axe-core') };
      return (await axe.run({ exclude: excluded }, chosen)).violations;
    },
    [exclude ? [[exclude]] : [], options] as const,
  );
}
