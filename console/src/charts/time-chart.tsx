import { Group, useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { useEffect, useMemo, useRef, useState } from 'react';
import uPlot from 'uplot';
import 'uplot/dist/uPlot.min.css';
import { strings } from '../strings/index.ts';
import { ChartCopy } from './chart-copy.tsx';
import { chartCsv, chartPng } from './export.ts';
import type { NumberHistory } from './history.ts';
import { Legend } from './legend.tsx';
import { type Bounds, dataOf, optionsOf, type Period, type Threshold } from './plot.ts';
import type { Range } from './range.ts';
import classes from './time-chart.module.css';

interface Given {
  readonly histories: readonly NumberHistory[];
  readonly range: Range;
  readonly height?: number;
  readonly thresholds?: readonly Threshold[];
  readonly periods?: readonly Period[];
  readonly bounds?: Bounds;
  /** Dragging over a stretch asks for it. */
  readonly onZoom?: (range: Range) => void;
  /** A double click asks to go back. */
  readonly onZoomOut?: () => void;
  /** Lets the first threshold be dragged. */
  readonly onThreshold?: (value: number) => void;
}

const NONE: readonly never[] = [];

const UNBOUND: Bounds = {};

/** What is drawn besides the values; the same object as long as it is the same. */
function useMarks({ thresholds = NONE, periods = NONE, bounds = UNBOUND }: Given) {
  const { min, max } = bounds;
  return useMemo(
    () => ({ thresholds, periods, bounds: { min, max } }),
    [thresholds, periods, min, max],
  );
}

/** Numbers over time: a line for the middle of each bucket in a veil from its least to its most. */
export function TimeChart(given: Given) {
  const { histories, range, height = 280 } = given;
  const marks = useMarks(given);
  const { ref: frame, width } = useElementSize();
  const place = useRef<HTMLDivElement>(null);
  const plot = useRef<uPlot | null>(null);
  const isDark = useComputedColorScheme('light') === 'dark';
  const [cursor, setCursor] = useState<number | null>(null);
  const data = useMemo(() => dataOf(histories), [histories]);
  const isDraggable = given.onThreshold !== undefined;
  const handlers = useRef(given);
  handlers.current = given;
  const { startMs, endMs } = range;
  useEffect(() => {
    if (!place.current || width === 0) return undefined;
    const options = optionsOf({
      histories,
      range: { startMs, endMs },
      ...marks,
      width,
      height,
      isDark,
      onZoom: (next) => handlers.current.onZoom?.(next),
      onZoomOut: () => handlers.current.onZoomOut?.(),
      onThreshold: isDraggable ? (value) => handlers.current.onThreshold?.(value) : undefined,
    });
    const onCursor = ({ cursor: { idx } }: uPlot) => setCursor(idx ?? null);
    const hooks = { ...options.hooks, setCursor: [onCursor] };
    const made = new uPlot({ ...options, hooks }, data, place.current);
    plot.current = made;
    return () => made.destroy();
  }, [data, histories, startMs, endMs, marks, width, height, isDark, isDraggable]);
  return (
    <div ref={frame} className={classes.frame}>
      <div
        ref={place}
        role="img"
        aria-label={strings.charts.about(histories.map(({ variable }) => variable.name).join(', '))}
        style={{ minHeight: height }}
      />
      <Group justify="space-between" align="flex-start" wrap="nowrap" gap="xs">
        <Legend histories={histories} data={data} cursor={cursor} />
        <ChartCopy
          csv={() => chartCsv(histories, data)}
          png={() => (plot.current ? chartPng(plot.current, isDark ? '#16191d' : '#ffffff') : null)}
        />
      </Group>
    </div>
  );
}
