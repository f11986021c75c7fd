import type { Locator, Page } from 'playwright-core';

/** Moves the pointer to the draggable threshold line and returns the position. */
export async function findThresholdLine(
  page: Page,
): Promise<{ readonly x: number; readonly y: number }> {
  const over = page.locator('.u-over');
  await over.scrollIntoViewIfNeeded();
  const box = await over.boundingBox();
  if (!box) throw new Error('there is no chart');
  const x = box.x + box.width / 4;
  for (let y = box.y + 2; y < box.y + box.height; y += 6) {
    await page.mouse.move(x, y);
    const cursor = await over.evaluate((element) => element.style.cursor);
    if (cursor === 'ns-resize') return { x, y };
  }
  throw new Error('there is no line in the chart');
}

/** The size of the image on the clipboard; 0 without one. */
export function copiedPictureSize(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    if (!item?.types.includes('image/png')) return 0;
    return (await item.getType('image/png')).size;
  });
}

/** Drags the chart, or scrolls the page by it. */
export async function dragByFinger(page: Page, right: number, up: number): Promise<void> {
  await touchDrag(page, page.locator('.u-over').first(), { right, down: -up });
}

/** Drags by touch events of the browser, which may use the gesture to scroll. */
export async function touchDrag(
  page: Page,
  target: Locator,
  { right, down }: { readonly right: number; readonly down: number },
): Promise<void> {
  await target.scrollIntoViewIfNeeded();
  const box = await target.boundingBox();
  if (!box) throw new Error('there is nothing to drag');
  const session = await page.context().newCDPSession(page);
  const [x, y] = [box.x + box.width / 2, box.y + box.height / 2];
  const touch = (type: 'touchStart' | 'touchMove', part: number) =>
    session.send('Input.dispatchTouchEvent', {
      type,
      touchPoints: [{ x: x + right * part, y: y + down * part }],
    });
  await touch('touchStart', 0);
  for (const part of [0.25, 0.5, 0.75, 1]) await touch('touchMove', part);
  await session.send('Input.dispatchTouchEvent', { type: 'touchEnd', touchPoints: [] });
  await session.detach();
}
