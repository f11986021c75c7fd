import { createContext, useContext } from 'react';
import type { Range, RangeChoice } from '../charts/index.ts';

/** How a board is viewed: the time range and the refresh interval that its widgets follow. */
export interface BoardView {
  /** A range in the URL; without one the length of the board applies, up to now. */
  readonly choice: RangeChoice;
  readonly rangeMs: number;
  readonly refreshMs: number;
  /** Zooms all charts of the board; absent where the range cannot be changed. */
  readonly onZoom?: ((range: Range) => void) | undefined;
  /** A shared board links to no other page. */
  readonly hasLinks: boolean;
  /** A share link delivers the records of its board only. */
  readonly isShared?: boolean;
}

export const DEFAULT_RANGE_MS = 24 * 60 * 60_000;

export const BoardViewContext = createContext<BoardView>({
  choice: {},
  rangeMs: DEFAULT_RANGE_MS,
  refreshMs: 30_000,
  hasLinks: true,
});

export function useBoardView(): BoardView {
  return useContext(BoardViewContext);
}
