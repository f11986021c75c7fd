import { Box, Group, Stack, Text } from '@mantine/core';
import { type ReactNode, useMemo, useRef, useState } from 'react';
import { createSignal, type Signal, useSteppedNow } from '../runtime/index.ts';
import type { Variable } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { Failed } from '../ui/index.ts';
import { AnnotationLane } from './annotation-lane.tsx';
import type { Annotation } from './annotations.ts';
import { insetsOf } from './axes.ts';
import { ChartCopy } from './chart-copy.tsx';
import { ChartSkeleton } from './chart-skeleton.tsx';
import { type Compared, linesOf, useCompared } from './compared.ts';
import type { Line } from './histories.ts';
import { type History, useHistory } from './history.ts';
import { Legend } from './legend.tsx';
import type { LivePlot } from './live-plot.ts';
import type { Period, Threshold } from './marks.ts';
import { dataOf } from './plot.ts';
import { axisStepMs, endingNow, type Range } from './range.ts';
import type { Bounds } from './scale.ts';
import { SeriesTable } from './series-table.tsx';
import { StateTimeline } from './state-timeline.tsx';
import { useStatistics } from './statistics.ts';
import { TimeChart } from './time-chart.tsx';
import { type ChartView, isolatedSeries, toggledSeries } from './view.ts';

/** Marks and interactions of a chart. */
export interface ChartOptions {
  readonly thresholds?: readonly Threshold[] | undefined;
  readonly periods?: readonly Period[] | undefined;
  readonly annotations?: readonly Annotation[] | undefined;
  readonly bounds?: Bounds;
  /** Comparison, scales and hidden lines, with their changes; kept by the chart when left out. */
  readonly view?: ChartView;
  readonly onView?: (view: ChartView) => void;
  /** Whether the legend is a table of statistics. */
  readonly hasStatistics?: boolean;
  /** Shown beside the legend. */
  readonly extra?: ReactNode;
  /** Called after a drag over a range, after panning, and by keys. */
  readonly onZoom?: (range: Range) => void;
  /** Called after a double click, and by Escape. */
  readonly onZoomOut?: () => void;
  /** The selected range, where it is rendered later: the lines follow it at once. */
  readonly selected?: Signal<Range>;
  /** Makes the first threshold draggable. */
  readonly onThreshold?: (value: number) => void;
}

interface Props extends ChartOptions {
  readonly variables: readonly Variable[];
  /** Whether Variables are being loaded. */
  readonly isPending?: boolean;
  readonly range: Range;
  readonly height?: number;
}

const NONE: readonly never[] = [];
const UNBOUND: Bounds = {};

/** The history of Variables: numbers as lines on one time axis, states as stripes below. */
export function HistoryChart(props: Props) {
  const { variables, range: wanted, height = 280, isPending = false } = props;
  const [ownView, setOwnView] = useState<ChartView>({});
  const view = props.view ?? ownView;
  const [isMoving, setIsMoving] = useState(false);
  const history = useHistory(variables, wanted, { isMoving, isLive: true });
  const compared = useCompared(variables, wanted, view.compare);
  const range = endingNow(wanted, useSteppedNow(axisStepMs(wanted)));
  const lines = useMemo(
    () => linesOf(history.numbers, compared, view),
    [history.numbers, compared, view],
  );
  const { error, refetch } = history;
  if (error) return <Failed error={error} onRetry={refetch} />;
  if (isPending || history.isPending) {
    const rows = props.hasStatistics ? variables.length + 1 : 1;
    return <ChartSkeleton height={height} rows={rows} />;
  }
  return (
    <Shown
      {...props}
      {...{ range, wanted, height, history, compared, lines, view, setIsMoving }}
      setView={props.onView ?? setOwnView}
    />
  );
}

interface ShownProps extends Props {
  readonly height: number;
  /** The range of the request; `range` is the visible one. */
  readonly wanted: Range;
  readonly history: History;
  readonly compared: Compared;
  readonly lines: readonly Line[];
  readonly view: ChartView;
  readonly setView: (view: ChartView) => void;
  readonly setIsMoving: (isMoving: boolean) => void;
}

function Shown(props: ShownProps) {
  const { range, height, history, compared, lines, view, annotations = NONE } = props;
  const live = useRef<LivePlot | null>(null);
  const [highlight] = useState(() => createSignal<number | null>(null));
  const isLogarithmic = view.log ?? false;
  const { numbers, states, isIncomplete } = history;
  // Not of `lines`, which are new whenever the URL changes: a zoom must not align all readings again.
  const data = useMemo(
    () => dataOf([...numbers, ...compared.numbers], isLogarithmic),
    [numbers, compared.numbers, isLogarithmic],
  );
  const limits = useLimits(props.bounds, view);
  const insets = insetsOf(lines.map(({ variable }) => variable));
  return (
    <Stack gap={0}>
      <Notice {...history} isLogarithmic={isLogarithmic} />
      {numbers.length > 0 ? (
        <Box pos="relative">
          <TimeChart
            {...{ lines, data, states, range, height, annotations, limits, isLogarithmic }}
            {...{ highlight, live }}
            wanted={props.wanted}
            selected={props.selected}
            thresholds={props.thresholds ?? NONE}
            periods={props.periods ?? NONE}
            onMoving={props.setIsMoving}
            onZoom={props.onZoom}
            onZoomOut={props.onZoomOut}
            onThreshold={props.onThreshold}
          />
          {history.isOutdated ? <Cover height={height} /> : null}
        </Box>
      ) : null}
      {annotations.length > 0 ? <AnnotationLane {...{ annotations, range, insets }} /> : null}
      {states.map((state) => (
        <StateTimeline key={state.variable.id} history={state} range={range} insets={insets} />
      ))}
      {compared.states.map((state) => (
        <StateTimeline
          key={state.variable.id}
          history={state}
          range={range}
          insets={insets}
          isCompared
        />
      ))}
      <Below {...props} onHover={highlight.set}>
        {numbers.length > 0 ? <ChartCopy {...{ lines, data, range, isIncomplete, live }} /> : null}
      </Below>
    </Stack>
  );
}

function useLimits(bounds: Bounds = UNBOUND, view: ChartView) {
  const { min: low, max: high } = bounds;
  const { min, max } = view;
  const isFromZero = view.zero ?? false;
  return useMemo(
    () => ({ bounds: { min: low, max: high }, leftBounds: { min, max }, isFromZero }),
    [low, high, min, max, isFromZero],
  );
}

interface BelowProps extends ShownProps {
  readonly onHover: (line: number | null) => void;
  readonly children: ReactNode;
}

/** The legend and the buttons beside it. */
function Below({ children, onHover, ...props }: BelowProps) {
  const { lines, view, wanted, compared, hasStatistics = false, extra } = props;
  const variables = props.history.numbers.map(({ variable }) => variable);
  const current = useStatistics(variables, wanted, hasStatistics);
  const isCompared = hasStatistics && compared.range !== null;
  const earlier = useStatistics(variables, compared.range ?? wanted, isCompared);
  const onToggle = (id: string, isOnly: boolean) => {
    const all = variables.map((variable) => variable.id);
    props.setView(isOnly ? isolatedSeries(view, id, all) : toggledSeries(view, id));
  };
  const buttons = (
    <Group gap="xs" wrap="nowrap" ml="auto">
      {extra}
      {children}
    </Group>
  );
  if (!hasStatistics || lines.length === 0) {
    return (
      <Group justify="space-between" align="flex-start" gap="xs">
        {lines.length > 0 ? <Legend {...{ lines, onToggle, onHover }} /> : null}
        {buttons}
      </Group>
    );
  }
  return (
    <>
      <SeriesTable {...{ lines, current, earlier, onToggle, onHover }} range={wanted} />
      <Group justify="flex-end" mt={4}>
        {buttons}
      </Group>
    </>
  );
}

/** What a user should know about the lines. */
function Notice(props: History & { readonly isLogarithmic: boolean }) {
  const { isIncomplete, isOutdated, numbers, states, isLogarithmic } = props;
  const isEmpty =
    !isOutdated &&
    numbers.every(({ buckets }) => buckets.timestamp.length === 0) &&
    states.every(({ segments }) => segments.length === 0);
  const isCut =
    isLogarithmic && numbers.some(({ buckets }) => buckets.mean.some((value) => value <= 0));
  const texts = [
    ...(isIncomplete ? [strings.charts.incomplete] : isEmpty ? [strings.charts.empty] : []),
    ...(isCut ? [strings.charts.scale.notPositive] : []),
  ];
  if (texts.length === 0) return null;
  return (
    <Text size="sm" c="dimmed" role="status">
      {texts.join(' ')}
    </Text>
  );
}

/** Covers a chart that would be empty while its readings load. The chart stays in place for gestures. */
function Cover({ height }: { height: number }) {
  return (
    <Box pos="absolute" top={0} left={0} right={0} style={{ pointerEvents: 'none' }}>
      <ChartSkeleton height={height} />
    </Box>
  );
}
