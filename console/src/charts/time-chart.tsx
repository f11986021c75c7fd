import { useComputedColorScheme } from '@mantine/core';
import { useElementSize } from '@mantine/hooks';
import { type RefObject, useEffect, useId, useMemo, useRef, useState } from 'react';
import 'uplot/dist/uPlot.min.css';
import { nowMs, type Signal } from '../runtime/index.ts';
import { strings } from '../strings/index.ts';
import type { Annotation } from './annotations.ts';
import { ChartTooltip } from './chart-tooltip.tsx';
import { crosshair } from './crosshair.ts';
import type { Line, StateHistory } from './histories.ts';
import { chartAction } from './keyboard.ts';
import { createLivePlot, type Handlers, type LivePlot, type Shared } from './live-plot.ts';
import type { Period, Threshold } from './marks.ts';
import type { PlotState } from './plot.ts';
import type { Range } from './range.ts';
import type { Limits } from './scale.ts';
import { SpokenValues } from './spoken-values.tsx';
import classes from './time-chart.module.css';
import { valuesAt } from './values-at.ts';

interface Props extends Handlers {
  readonly lines: readonly Line[];
  readonly data: PlotState['data'];
  readonly states: readonly StateHistory[];
  readonly range: Range;
  /** The range of the request; `range` is the visible one. */
  readonly wanted: Range;
  /** The selected range, which the chart follows before it is rendered. */
  readonly selected: Signal<Range> | undefined;
  readonly height: number;
  readonly thresholds: readonly Threshold[];
  readonly periods: readonly Period[];
  readonly annotations: readonly Annotation[];
  readonly limits: Limits;
  readonly isLogarithmic: boolean;
  readonly highlight: Signal<number | null>;
  /** The chart, for a picture of it. */
  readonly live: RefObject<LivePlot | null>;
}

/** Numbers over time: a line of means in a band from minimum to maximum. */
export function TimeChart(props: Props) {
  const { lines, data, states, range, height, periods, live } = props;
  const { ref: frame, width } = useElementSize();
  const container = useRef<HTMLDivElement>(null);
  const isDark = useComputedColorScheme('light') === 'dark';
  const [owner] = useState(() => ({}));
  const hintId = useId();
  const moments = useMemo(() => props.annotations.map(({ ms }) => ms), [props.annotations]);
  const hidden = useMemo(() => lines.map(({ isHidden }) => isHidden), [lines]);
  useLivePlot(
    container,
    { ...props, isDark, owner },
    {
      ...{ data, range, wanted: props.wanted, periods, moments, hidden, width, height },
      thresholds: props.thresholds,
      limits: props.limits,
    },
  );
  const at = (ms: number) => valuesAt({ lines, data, states, periods, range }, ms);
  return (
    <div ref={frame} className={classes.frame}>
      <div
        ref={container}
        role="application"
        aria-roledescription={strings.charts.role}
        aria-label={strings.charts.about(lines.map(({ name }) => name).join(', '))}
        aria-describedby={hintId}
        // biome-ignore lint/a11y/noNoninteractiveTabindex: the keys of the hint work on the chart.
        tabIndex={0}
        className={classes.chart}
        style={{ minHeight: height }}
        onKeyDown={(event) => onKey(event, props, owner)}
        onBlur={() => crosshair.read()?.isByKeyboard && crosshair.set(null)}
      />
      <span id={hintId} hidden>
        {strings.charts.keys}
      </span>
      <ChartTooltip owner={owner} live={live} valuesAt={at} thresholds={props.thresholds} />
      <SpokenValues owner={owner} valuesAt={at} />
    </div>
  );
}

function onKey(event: React.KeyboardEvent, props: Props, owner: object) {
  const { onZoom, onZoomOut, live } = props;
  // A range that is not rendered yet counts too, so that no key is lost.
  const range = live.current?.range() ?? props.range;
  const at = crosshair.read();
  const cursorMs = at?.owner === owner ? at.ms : null;
  const action = chartAction(event, { range, cursorMs, nowMs: nowMs() });
  if (!action || (action.kind === 'show' && !onZoom)) return;
  if (action.kind === 'reset' && !onZoomOut) return;
  event.preventDefault();
  if (action.kind === 'move') crosshair.set({ ms: action.ms, owner, isByKeyboard: true });
  else if (action.kind === 'leave') crosshair.set(null);
  else if (action.kind === 'show') onZoom?.(action.range);
  else onZoomOut?.();
}

/** Creates the chart once its element has a width, then updates it. */
function useLivePlot(
  container: RefObject<HTMLDivElement | null>,
  props: Props & Shared & { readonly isDark: boolean },
  shown: PlotState,
): void {
  const { live, isDark, isLogarithmic, owner, highlight, selected } = props;
  const shared = useMemo(() => ({ owner, highlight, selected }), [owner, highlight, selected]);
  const latest = useRef({ props, shown });
  latest.current = { props, shown };
  const isDraggable = props.onThreshold !== undefined;
  const definition = JSON.stringify(
    props.lines.map(({ name, colour, isCompared, variable: { unit } }) => {
      return { name, colour, isCompared, unit };
    }),
  );
  const isPlaced = shown.width > 0;
  useEffect(() => {
    if (!container.current || !isPlaced) return undefined;
    const made = createLivePlot(
      container.current,
      { lines: JSON.parse(definition), isDark, isDraggable, isLogarithmic },
      latest.current.shown,
      () => latest.current.props,
      shared,
    );
    live.current = made;
    return () => {
      live.current = null;
      made.destroy();
    };
  }, [container, live, definition, isPlaced, isDark, isDraggable, isLogarithmic, shared]);
  const { data, thresholds, periods, moments, limits, hidden, width, height } = shown;
  const range = useSameRange(shown.range);
  const wanted = useSameRange(shown.wanted);
  useEffect(() => {
    const marks = { thresholds, periods, moments };
    live.current?.show({ ...marks, data, limits, hidden, width, height, range, wanted });
  }, [live, data, thresholds, periods, moments, limits, hidden, width, height, range, wanted]);
}

/** The same object for the same range. */
function useSameRange({ startMs, endMs }: Range): Range {
  return useMemo(() => ({ startMs, endMs }), [startMs, endMs]);
}
