import { useElementSize } from '@mantine/hooks';
import { WatchedChart } from '../../variable-charts/index.ts';
import { useBoardView } from '../board-view.tsx';
import type { Settings } from '../widget.ts';
import { useWidgetRange } from '../widget-range.ts';
import { useShownVariables } from './several-widgets.tsx';

/** The height of a chart's title, legend and edges. */
const AROUND_PX = 80;
const GAP_PX = 10;
const MIN_HEIGHT_PX = 120;
/** Sizes in a legend: row height, letter width, the space before a name, and the buttons. */
const LEGEND = { rowPx: 22, letterPx: 6.5, markPx: 34, buttonsPx: 140 };
export const ROW_PX = 48;

/** The number of legend rows that the names take beside the buttons. */
function legendRows(names: readonly string[], widthPx: number): number {
  const { letterPx, markPx, buttonsPx } = LEGEND;
  const roomPx = Math.max(1, widthPx - buttonsPx);
  let rows = 1;
  let leftPx = roomPx;
  for (const name of names) {
    const needsPx = name.length * letterPx + markPx;
    if (needsPx > leftPx && leftPx < roomPx) {
      rows += 1;
      leftPx = roomPx;
    }
    leftPx -= needsPx;
  }
  return rows;
}

interface Props {
  readonly settings: Settings;
  readonly rows: number;
}

/** Lines and stripes over the range of the widget or of the board. Live values are added between two reads. */
export function HistoryWidget({ settings, rows }: Props) {
  const { variables, instead } = useShownVariables(settings);
  const range = useWidgetRange(settings.rangeMs);
  const { onZoom } = useBoardView();
  const { ref, width } = useElementSize();
  const lines = variables.filter(({ type }) => type === 'NUMBER').map(({ name }) => name);
  const legendPx = (legendRows(lines, width) - 1) * LEGEND.rowPx;
  const height = Math.max(MIN_HEIGHT_PX, rows * (ROW_PX + GAP_PX) - GAP_PX - AROUND_PX - legendPx);
  if (instead) return instead;
  return (
    <div ref={ref}>
      <WatchedChart
        variables={variables}
        range={range}
        {...(onZoom && settings.rangeMs === undefined ? { onZoom } : {})}
        height={height}
        bounds={settings}
      />
    </div>
  );
}
