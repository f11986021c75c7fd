import { Group, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type ReactNode, useEffect, useMemo, useRef, useState } from 'react';
import 'uplot/dist/uPlot.min.css';
import { strings } from '../strings/index.ts';
import { ChartCopy } from './chart-copy.tsx';
import { createCursor } from './cursor.ts';
import { chartCsv, chartPng } from './export.ts';
import type { NumberHistory } from './history.ts';
import { Legend } from './legend.tsx';
import { createLivePlot, type Handlers, type LivePlot } from './live-plot.ts';
import type { Period, Threshold } from './marks.ts';
import { type Bounds, dataOf, type Shown } from './plot.ts';
import type { Range } from './range.ts';
import classes from './time-chart.module.css';

/** What is drawn besides the values, and what people may do. */
export interface ChartOptions {
  readonly thresholds?: readonly Threshold[] | undefined;
  readonly periods?: readonly Period[] | undefined;
  readonly bounds?: Bounds;
  /** Beside the legend. */
  readonly extra?: ReactNode;
  /** Dragging over a stretch asks for it, and so does moving the chart. */
  readonly onZoom?: (range: Range) => void;
  /** A double click asks to go back. */
  readonly onZoomOut?: () => void;
  /** Lets the first threshold be dragged. */
  readonly onThreshold?: (value: number) => void;
}

interface Given extends ChartOptions {
  readonly histories: readonly NumberHistory[];
  readonly range: Range;
  readonly height: number;
  /** While a hand moves the chart, there should be more of it. */
  readonly onMoving: (isMoving: boolean) => void;
}

const NONE: readonly never[] = [];
const UNBOUND: Bounds = {};

/** Numbers over time: a line for the middle of each bucket in a veil from its least to its most. */
export function TimeChart(given: Given) {
  const { histories, height, periods = NONE } = given;
  const { ref: frame, width } = useElementSize();
  const place = useRef<HTMLDivElement>(null);
  const isDark = useComputedColorScheme('light') === 'dark';
  const [cursor] = useState(createCursor);
  const data = useMemo(() => dataOf(histories), [histories]);
  const live = useLivePlot(place, { ...given, onCursor: cursor.set }, isDark, {
    data,
    range: given.range,
    thresholds: given.thresholds ?? NONE,
    periods,
    bounds: given.bounds ?? UNBOUND,
    width,
    height,
  });
  return (
    <div ref={frame} className={classes.frame}>
      <div
        ref={place}
        role="img"
        aria-label={strings.charts.about(histories.map(({ variable }) => variable.name).join(', '))}
        style={{ minHeight: height }}
      />
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <Legend histories={histories} data={data} cursor={cursor} periods={periods} />
        <Group gap="xs" wrap="nowrap">
          {given.extra}
          <ChartCopy
            csv={() => chartCsv(histories, data)}
            png={() =>
              live.current ? chartPng(live.current.plot, isDark ? '#16191d' : '#ffffff') : null
            }
          />
        </Group>
      </Group>
    </div>
  );
}

/** Makes the chart where its place has a width, and then keeps it up to date. */
function useLivePlot(
  place: React.RefObject<HTMLDivElement | null>,
  given: Given & Handlers,
  isDark: boolean,
  shown: Shown,
): React.RefObject<LivePlot | null> {
  const live = useRef<LivePlot | null>(null);
  const latest = useRef({ given, shown });
  latest.current = { given, shown };
  const isDraggable = given.onThreshold !== undefined;
  const lines = JSON.stringify(given.histories.map(({ variable: { name, unit } }) => [name, unit]));
  const isPlaced = shown.width > 0;
  useEffect(() => {
    if (!place.current || !isPlaced) return undefined;
    const named = JSON.parse(lines) as [string, string | null][];
    const made = createLivePlot(
      place.current,
      { lines: named.map(([name, unit]) => ({ name, unit })), isDark, isDraggable },
      latest.current.shown,
      () => latest.current.given,
    );
    live.current = made;
    return () => {
      live.current = null;
      made.destroy();
    };
  }, [place, lines, isPlaced, isDark, isDraggable]);
  const { data, thresholds, periods, width, height } = shown;
  const { startMs, endMs } = shown.range;
  const { min, max } = shown.bounds;
  useEffect(() => {
    const next = { data, thresholds, periods, width, height };
    live.current?.show({ ...next, range: { startMs, endMs }, bounds: { min, max } });
  }, [data, thresholds, periods, width, height, startMs, endMs, min, max]);
  return live;
}
