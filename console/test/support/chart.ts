import type { Page } from 'playwright-core';

/** Puts the pointer where the chart says that its line can be taken, and answers the place. */
export async function findLine(page: Page): Promise<{ readonly x: number; readonly y: number }> {
  const over = page.locator('.u-over');
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

/** The size of the picture on the clipboard; 0 where there is none. */
export function copiedPictureSize(page: Page): Promise<number> {
  return page.evaluate(async () => {
    const [item] = await navigator.clipboard.read();
    if (!item?.types.includes('image/png')) return 0;
    return (await item.getType('image/png')).size;
  });
}
