import { type Range, useRange } from '../charts/index.ts';
import { useNow } from '../runtime/index.ts';
import { useBoardView } from './board-view.tsx';
import { widgetRange } from './range-length.ts';

const QUARTER_MINUTE_MS = 15_000;

/** The range of a widget: its own, or that of the board. */
export function useWidgetRange(ownMs: number | undefined): Range {
  const { choice, rangeMs, refreshMs } = useBoardView();
  const now = useNow(refreshMs < QUARTER_MINUTE_MS ? 'seconds' : 'minutes');
  const chosen = useRange(choice);
  const isChosen = choice.last !== undefined || choice.from !== undefined;
  const zoomed = isChosen ? chosen : null;
  return widgetRange({ ownMs, zoomed, boardMs: rangeMs, refreshMs }, now);
}
