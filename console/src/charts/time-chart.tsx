import { Group, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import 'uplot/dist/uPlot.min.css';
import { createSignal } from '../runtime/index.ts';
import { strings } from '../strings/index.ts';
import { ChartCopy } from './chart-copy.tsx';
import { chartCsv, chartPng } from './export.ts';
import type { NumberHistory } from './histories.ts';
import { Legend } from './legend.tsx';
import { createLivePlot, type Handlers, type LivePlot } from './live-plot.ts';
import type { Period, Threshold } from './marks.ts';
import { type Bounds, dataOf, type PlotState } from './plot.ts';
import type { Range } from './range.ts';
import classes from './time-chart.module.css';

/** Marks and interactions of a chart. */
export interface ChartOptions {
  readonly thresholds?: readonly Threshold[] | undefined;
  readonly periods?: readonly Period[] | undefined;
  readonly bounds?: Bounds;
  /** Shown beside the legend. */
  readonly extra?: ReactNode;
  /** Called after a drag over a range, and after panning. */
  readonly onZoom?: (range: Range) => void;
  /** Called after a double click. */
  readonly onZoomOut?: () => void;
  /** Makes the first threshold draggable. */
  readonly onThreshold?: (value: number) => void;
}

interface Props extends ChartOptions {
  readonly histories: readonly NumberHistory[];
  readonly range: Range;
  readonly height: number;
  /** Whether the newest readings may be missing. */
  readonly isIncomplete: boolean;
  /** Called when panning starts and ends, since panning needs data beyond the range. */
  readonly onMoving: (isMoving: boolean) => void;
}

const NONE: readonly never[] = [];
/** About six pixels of a wide chart. */
const NEAR_PART = 150;
const UNBOUND: Bounds = {};

/** Numbers over time: a line of means in a band from minimum to maximum. */
export function TimeChart(props: Props) {
  const { histories, height, periods = NONE } = props;
  const { ref: frame, width } = useElementSize();
  const container = useRef<HTMLDivElement>(null);
  const isDark = useComputedColorScheme('light') === 'dark';
  // Only the legend subscribes, so that pointer moves do not render the chart again.
  const [cursor] = useState(() => createSignal<number | null>(null));
  const data = useMemo(() => dataOf(histories), [histories]);
  const live = useLivePlot(container, { ...props, onCursor: cursor.set }, isDark, {
    data,
    range: props.range,
    thresholds: props.thresholds ?? NONE,
    periods,
    bounds: props.bounds ?? UNBOUND,
    width,
    height,
  });
  return (
    <div ref={frame} className={classes.frame}>
      <div
        ref={container}
        role="img"
        aria-label={strings.charts.about(histories.map(({ variable }) => variable.name).join(', '))}
        style={{ minHeight: height }}
      />
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <Legend
          histories={histories}
          data={data}
          cursor={cursor}
          periods={periods}
          nearMs={(props.range.endMs - props.range.startMs) / NEAR_PART}
        />
        <Group gap="xs" wrap="nowrap">
          {props.extra}
          <ChartCopy
            isIncomplete={props.isIncomplete}
            csv={() => chartCsv(histories, data, props.range)}
            png={() =>
              live.current ? chartPng(live.current.plot, isDark ? '#16191d' : '#ffffff') : null
            }
          />
        </Group>
      </Group>
    </div>
  );
}

/** Creates the chart once its element has a width, then updates it. */
function useLivePlot(
  container: React.RefObject<HTMLDivElement | null>,
  props: Props & Handlers,
  isDark: boolean,
  shown: PlotState,
): React.RefObject<LivePlot | null> {
  const live = useRef<LivePlot | null>(null);
  const latest = useRef({ props, shown });
  latest.current = { props, shown };
  const isDraggable = props.onThreshold !== undefined;
  const lines = JSON.stringify(props.histories.map(({ variable: { name, unit } }) => [name, unit]));
  const isPlaced = shown.width > 0;
  useEffect(() => {
    if (!container.current || !isPlaced) return undefined;
    const named = JSON.parse(lines) as [string, string | null][];
    const made = createLivePlot(
      container.current,
      { lines: named.map(([name, unit]) => ({ name, unit })), isDark, isDraggable },
      latest.current.shown,
      () => latest.current.props,
    );
    live.current = made;
    return () => {
      live.current = null;
      made.destroy();
    };
  }, [container, lines, isPlaced, isDark, isDraggable]);
  const { data, thresholds, periods, width, height } = shown;
  const { startMs, endMs } = shown.range;
  const { min, max } = shown.bounds;
  useEffect(() => {
    const next = { data, thresholds, periods, width, height };
    live.current?.show({ ...next, range: { startMs, endMs }, bounds: { min, max } });
  }, [data, thresholds, periods, width, height, startMs, endMs, min, max]);
  return live;
}
