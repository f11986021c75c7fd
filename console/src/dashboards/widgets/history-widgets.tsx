import { useNow } from '../../runtime/index.ts';
import { useChosenVariables, WatchedChart } from '../../variable-charts/index.ts';
import type { Settings } from '../widget.ts';
import { useDistinctNames } from './distinct-names.ts';
import { Unchosen } from './value-widgets.tsx';

/** What stands around a chart: title, legend, edges. */
const AROUND_PX = 80;
const GAP_PX = 10;
const LEAST_PX = 120;
const QUARTER_MINUTE_MS = 15_000;
export const ROW_PX = 48;

interface Given {
  readonly settings: Settings;
  readonly rows: number;
  readonly refreshMs: number;
}

/** Lines and stripes over the last stretch of time. */
export function HistoryWidget({ settings, rows, refreshMs }: Given) {
  const variables = useDistinctNames(useChosenVariables(settings.variableIds));
  const now = useNow(refreshMs < QUARTER_MINUTE_MS ? 'seconds' : 'minutes');
  // A long stretch does not change to the eye within its thousandth.
  const stepMs = Math.max(refreshMs, Math.floor(settings.rangeMs / 1_000));
  const endMs = Math.ceil(now / stepMs) * stepMs;
  const height = Math.max(LEAST_PX, rows * (ROW_PX + GAP_PX) - GAP_PX - AROUND_PX);
  if (settings.variableIds.length === 0) return <Unchosen />;
  return (
    <WatchedChart
      variables={variables}
      range={{ startMs: endMs - settings.rangeMs, endMs }}
      height={height}
      bounds={settings}
    />
  );
}
