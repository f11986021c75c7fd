import type { Locator, Page } from 'playwright-core';

/** How a user works in the console. The same journey runs with a mouse and without one. */
export interface Hand {
  /** Opens a section of the console by its name, or by the key after `g`. */
  open(section: { readonly name: string; readonly key: string }): Promise<void>;
  /** Presses a button, follows a link, checks a box or chooses an item of an open menu. */
  press(target: Locator): Promise<void>;
  /** Replaces the text of a field. */
  write(field: Locator, text: string): Promise<void>;
  /** Searches in a select and takes one of its options. */
  select(field: Locator, search: string, option: Locator): Promise<void>;
}

export const HANDS = ['mouse', 'keyboard alone'] as const;

export function handOf(page: Page, name: (typeof HANDS)[number]): Hand {
  return name === 'mouse' ? mouse(page) : keyboard(page);
}

function mouse(page: Page): Hand {
  return {
    async open({ name }) {
      await page.getByRole('link', { name, exact: true }).first().click();
    },
    press: (target) => target.click(),
    async write(field, text) {
      await field.click();
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
    },
    async select(field, search, option) {
      await field.click();
      await field.fill(search);
      await option.click();
    },
  };
}

/** Further than any page of the console needs. */
const MAX_STEPS = 120;

function keyboard(page: Page): Hand {
  const hand: Hand = {
    async open({ key }) {
      await page.keyboard.press('Escape');
      await page.keyboard.press('g');
      await page.keyboard.press(key);
    },
    async press(target) {
      const { role, type } = await target.evaluate((element) => ({
        role: element.getAttribute('role'),
        type: element.getAttribute('type'),
      }));
      await focusBy(page, target, role === 'menuitem' ? 'ArrowDown' : 'Tab');
      await page.keyboard.press(type === 'checkbox' ? 'Space' : 'Enter');
    },
    async write(field, text) {
      await focusBy(page, field, 'Tab');
      await page.keyboard.press('Control+A');
      await page.keyboard.type(text);
    },
    async select(field, search, option) {
      await hand.write(field, search);
      const found = option.and(page.locator(':not([data-combobox-disabled])'));
      await found.waitFor();
      await step(page, 'ArrowDown', found, (element) =>
        element.hasAttribute('data-combobox-selected'),
      );
      await page.keyboard.press('Enter');
    },
  };
  return hand;
}

/** Presses a key until the element has the focus. An element that keys do not reach is a failure. */
async function focusBy(page: Page, target: Locator, key: 'Tab' | 'ArrowDown') {
  await target.waitFor();
  const isBefore = await target.evaluate(
    (element) =>
      (document.activeElement ?? document.body).compareDocumentPosition(element) ===
      Node.DOCUMENT_POSITION_PRECEDING,
  );
  await step(
    page,
    key === 'Tab' && isBefore ? 'Shift+Tab' : key,
    target,
    (element) => element === document.activeElement,
  );
}

/** Finds the element again only when it has left the document: to compute roles takes long. */
async function step(
  page: Page,
  key: string,
  target: Locator,
  isReached: (element: Element) => boolean,
): Promise<void> {
  let found = await target.elementHandle();
  for (let steps = 0; steps < MAX_STEPS; steps += 1) {
    if (!(await found?.evaluate((element) => element.isConnected))) {
      found = await target.elementHandle();
    }
    if (await found?.evaluate(isReached)) return;
    await page.keyboard.press(key);
  }
  throw new Error(`${key} does not reach the element`);
}
