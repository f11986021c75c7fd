import { useElementSize } from '@mantine/hooks';
import { useDistinctNames } from '../../references/index.ts';
import { useNow } from '../../runtime/index.ts';
import { useSelectedVariables, WatchedChart } from '../../variable-charts/index.ts';
import type { Settings } from '../widget.ts';
import { Unconfigured } from './value-widgets.tsx';

/** The height of a chart's title, legend and edges. */
const AROUND_PX = 80;
const GAP_PX = 10;
const MIN_HEIGHT_PX = 120;
/** Sizes in a legend: row height, letter width, the space before a name, and the buttons. */
const LEGEND = { rowPx: 22, letterPx: 6.5, markPx: 34, buttonsPx: 140 };
const QUARTER_MINUTE_MS = 15_000;
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
  readonly refreshMs: number;
}

/** Lines and stripes over the range up to now. */
export function HistoryWidget({ settings, rows, refreshMs }: Props) {
  const selected = useSelectedVariables(settings.variableIds);
  const variables = useDistinctNames(selected.variables);
  const now = useNow(refreshMs < QUARTER_MINUTE_MS ? 'seconds' : 'minutes');
  // A thousandth of the range is not visible in the chart. Live values are added between two reads.
  const { rangeMs } = settings;
  const stepMs = Math.max(Math.min(refreshMs, rangeMs / 50), Math.floor(rangeMs / 1_000));
  const endMs = Math.ceil(now / stepMs) * stepMs;
  const { ref, width } = useElementSize();
  const lines = variables.filter(({ type }) => type === 'NUMBER').map(({ name }) => name);
  const legendPx = (legendRows(lines, width) - 1) * LEGEND.rowPx;
  const height = Math.max(MIN_HEIGHT_PX, rows * (ROW_PX + GAP_PX) - GAP_PX - AROUND_PX - legendPx);
  if (settings.variableIds.length === 0) return <Unconfigured />;
  return (
    <div ref={ref}>
      <WatchedChart
        variables={variables}
        isPending={selected.isPending}
        range={{ startMs: endMs - settings.rangeMs, endMs }}
        height={height}
        bounds={settings}
      />
    </div>
  );
}
