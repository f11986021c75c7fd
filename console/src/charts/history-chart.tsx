import { Box, Stack, Text } from '@mantine/core';
import { useState } from 'react';
import { useSteppedNow } from '../runtime/index.ts';
import type { Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Failed, Loading } from '../ui/index.ts';
import { useHistory } from './history.ts';
import { insetsOf } from './plot.ts';
import { axisStepMs, endingNow, type Range } from './range.ts';
import { StateTimeline } from './state-timeline.tsx';
import { type ChartOptions, TimeChart } from './time-chart.tsx';

interface Props extends ChartOptions {
  readonly variables: readonly Variable[];
  /** Whether Variables are being loaded. */
  readonly isPending?: boolean;
  readonly range: Range;
  readonly height?: number;
}

/** The history of Variables: numbers as lines on one time axis, states as stripes below. */
export function HistoryChart(props: Props) {
  const { variables, range: wanted, height = 280, isPending = false, ...options } = props;
  const [isMoving, setIsMoving] = useState(false);
  const history = useHistory(variables, wanted, isMoving);
  const range = endingNow(wanted, useSteppedNow(axisStepMs(wanted)));
  const { numbers, states, isIncomplete, error, refetch } = history;
  const insets = insetsOf(numbers.map(({ variable }) => variable));
  if (error) return <Failed error={error} onRetry={refetch} />;
  if (isPending || history.isPending) return <Loading rows={1} height={height} />;
  const isEmpty =
    !history.isOutdated &&
    numbers.every(({ buckets }) => buckets.timestamp.length === 0) &&
    states.every(({ segments }) => segments.length === 0);
  return (
    <Stack gap={0}>
      {isEmpty || isIncomplete ? (
        <Text size="sm" c="dimmed" role="status">
          {isIncomplete ? strings.charts.incomplete : strings.charts.empty}
        </Text>
      ) : null}
      {numbers.length > 0 ? (
        <Box pos="relative">
          <TimeChart
            histories={numbers}
            range={range}
            height={height}
            isIncomplete={isIncomplete}
            onMoving={setIsMoving}
            {...options}
          />
          {history.isOutdated ? <Cover height={height} /> : null}
        </Box>
      ) : (
        options.extra
      )}
      {states.map((history) => (
        <StateTimeline key={history.variable.id} history={history} range={range} insets={insets} />
      ))}
    </Stack>
  );
}

/** Covers a chart that would be empty while its readings load. The chart stays in place for gestures. */
function Cover({ height }: { height: number }) {
  return (
    <Box pos="absolute" top={0} left={0} right={0} style={{ pointerEvents: 'none' }}>
      <Loading rows={1} height={height} />
    </Box>
  );
}
