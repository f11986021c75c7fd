import axe from 'axe-core';
import type { Page } from 'playwright-core';

interface AxeOptions {
  /** All rules when absent. */
  readonly rules?: readonly string[];
  readonly withoutRules?: readonly string[];
  /** Selectors of the elements that are checked, the whole page when absent. */
  readonly include?: readonly string[];
  /** Selectors of the elements that are left out. */
  readonly exclude?: readonly string[];
}

/** Once in each document: loading axe takes as long as some of its runs. */
async function addAxe(page: Page): Promise<void> {
  if (!(await page.evaluate(() => 'axe' in window))) await page.evaluate(axe.source);
}

/** Their violations are minor or moderate; `region` alone takes much of a run. */
const LESSER_RULES = [
  ...['aria-allowed-role', 'aria-deprecated-role', 'empty-heading', 'empty-table-header'],
  ...['form-field-multiple-labels', 'heading-order', 'image-redundant-alt'],
  ...['landmark-banner-is-top-level', 'landmark-contentinfo-is-top-level'],
  ...['landmark-main-is-top-level', 'landmark-no-duplicate-banner'],
  ...['landmark-no-duplicate-contentinfo', 'landmark-no-duplicate-main', 'landmark-one-main'],
  ...['landmark-unique', 'meta-viewport-large', 'no-autoplay-audio', 'page-has-heading-one'],
  ...['presentation-role-conflict', 'region', 'scope-attr-valid', 'skip-link'],
  'table-duplicate-name',
];

/** What axe finds in the page that is serious or critical. */
export async function seriousViolationsOf(
  page: Page,
  options: AxeOptions = {},
): Promise<axe.Result[]> {
  const found = await violationsOf(page, { ...options, withoutRules: LESSER_RULES });
  return found.filter(({ impact }) => impact === 'serious' || impact === 'critical');
}

/** What axe finds in the page. */
export async function violationsOf(
  page: Page,
  { rules, withoutRules = [], include, exclude = [] }: AxeOptions = {},
): Promise<axe.Result[]> {
  const options: axe.RunOptions = {
    resultTypes: ['violations'],
    ...(rules ? { runOnly: [...rules] } : {}),
    rules: Object.fromEntries(withoutRules.map((id) => [id, { enabled: false }])),
  };
  await addAxe(page);
  return await page.evaluate(
    async ([context, chosen]) => {
      const { axe } = window as Window & typeof globalThis & { axe: typeof import('axe-core') };
      return (await axe.run(context, chosen)).violations;
    },
    [
      {
        ...(include ? { include: include.map((each) => [each]) } : {}),
        exclude: exclude.map((each) => [each]),
      },
      options,
    ] as const,
  );
}
