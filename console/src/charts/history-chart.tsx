import { Stack, Text } from '@mantine/core';
import type { Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Failed, Loading } from '../ui/index.ts';
import { useHistory } from './history.ts';
import type { Bounds, Period, Threshold } from './plot.ts';
import type { Range } from './range.ts';
import { StateTimeline } from './state-timeline.tsx';
import { TimeChart } from './time-chart.tsx';

interface Given {
  readonly variables: readonly Variable[];
  readonly range: Range;
  readonly height?: number;
  readonly thresholds?: readonly Threshold[];
  readonly periods?: readonly Period[];
  readonly bounds?: Bounds;
  readonly onZoom?: (range: Range) => void;
  readonly onZoomOut?: () => void;
  readonly onThreshold?: (value: number) => void;
}

/** The history of Variables: numbers as lines on one time axis, states as stripes below. */
export function HistoryChart({ variables, range, height = 280, ...rest }: Given) {
  const { numbers, states, isPending, error, refetch } = useHistory(variables, range);
  if (error) return <Failed error={error} onRetry={refetch} />;
  if (isPending) return <Loading rows={1} height={height} />;
  const isEmpty =
    numbers.every(({ buckets }) => buckets.length === 0) &&
    states.every(({ segments }) => segments.length === 0);
  return (
    <Stack gap={0}>
      {isEmpty ? (
        <Text size="sm" c="dimmed" role="status">
          {strings.charts.empty}
        </Text>
      ) : null}
      {numbers.length > 0 ? (
        <TimeChart histories={numbers} range={range} height={height} {...rest} />
      ) : null}
      {states.map((history) => (
        <StateTimeline key={history.variable.id} history={history} range={range} />
      ))}
    </Stack>
  );
}
