import { type RefObject, useLayoutEffect, useState } from 'react';

/** How a table is laid out: rows, rows without minor columns, or a card for each record. */
export type TableLayout = 'rows' | 'tight' | 'cards';

/** In narrower columns most words would be broken. */
const PX_PER_COLUMN = 150;
const MAX_MIN_ROWS_PX = 600;
const MIN_WIDE_ROWS_PX = 840;
const MIN_MINOR_PX = 760;

/** The width below which rows are not read well, although they may fit. */
export function minRowsPx(columnCount: number, isWide: boolean): number {
  return isWide ? MIN_WIDE_ROWS_PX : Math.min(MAX_MIN_ROWS_PX, columnCount * PX_PER_COLUMN);
}

/**
 * The layout for the width of a table's container, which the viewport does not determine: beside the
 * navigation there is less room than above it. `neededPx` is the width of rows that did not fit.
 */
export function tableLayout(widthPx: number, neededPx: number, minPx: number): TableLayout {
  if (widthPx < Math.max(neededPx, minPx)) return 'cards';
  return widthPx < MIN_MINOR_PX ? 'tight' : 'rows';
}

/** The layout of the table in a container; measured before the browser paints it. */
export function useTableLayout(
  container: RefObject<HTMLElement | null>,
  minPx: number,
): TableLayout {
  const [widthPx, setWidthPx] = useState(Number.POSITIVE_INFINITY);
  const [neededPx, setNeededPx] = useState(0);
  const layout = tableLayout(widthPx, neededPx, minPx);
  useLayoutEffect(() => {
    const element = container.current;
    if (!element) return undefined;
    const measure = () => setWidthPx(element.clientWidth);
    const observer = new ResizeObserver(measure);
    observer.observe(element);
    measure();
    return () => observer.disconnect();
  }, [container]);
  // New records may need more room, so rows are measured after each render.
  useLayoutEffect(() => {
    const { clientWidth = 0, scrollWidth = 0 } = container.current ?? {};
    if (layout !== 'cards' && scrollWidth > clientWidth) setNeededPx(scrollWidth);
  });
  return layout;
}
