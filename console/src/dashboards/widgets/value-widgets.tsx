import { Text } from '@mantine/core';
import type { LiveValue } from '../../live/index.ts';
import type { Variable } from '../../service/index.ts';
import { strings } from '../../strings/index.ts';
import { numberText, readingText, SeverityBadge, Timestamp } from '../../ui/index.ts';
import { bandsOf, severityOf } from '../thresholds.ts';
import type { Settings } from '../widget.ts';
import { Sparkline } from './sparkline.tsx';
import { useThresholds, useWidgetValue } from './widget-data.ts';
import { NoValue, StaleMark } from './widget-message.tsx';
import classes from './widgets.module.css';

interface ShownProps {
  readonly variable: Variable;
  readonly live: LiveValue;
  readonly isStale: boolean;
}

function About({ variable, live, isStale }: ShownProps) {
  return (
    <Text size="xs" c="dimmed" component="div" truncate>
      {isStale ? <StaleMark /> : null}
      {variable.name} · <Timestamp at={live.timestamp} form="relative" />
    </Text>
  );
}

function useSeverity(settings: Settings, value: unknown) {
  const thresholdsOf = useThresholds(settings.variableId ? [settings.variableId] : [], settings);
  const thresholds = thresholdsOf(settings.variableId ?? '');
  return { thresholds, severity: typeof value === 'number' ? severityOf(value, thresholds) : null };
}

/** One value, as large as the widget allows, in the colour of the threshold that it has crossed. */
export function ValueWidget({ settings }: { settings: Settings }) {
  const state = useWidgetValue(settings);
  const { severity } = useSeverity(settings, state.kind === 'value' ? state.live.value : null);
  if (state.kind !== 'value') return <NoValue state={state} />;
  const { variable, live } = state;
  return (
    <div className={classes.valueRoot}>
      <div
        className={classes.value}
        data-severity={severity ?? undefined}
        data-stale={state.isStale || undefined}
      >
        <Text className={`tabular ${classes.figure}`} component="div">
          {readingText(live.value, variable.unit, settings.decimals)}
        </Text>
        <div className={classes.under}>
          {severity ? <SeverityBadge severity={severity} /> : null}
          <About {...state} />
        </div>
      </div>
      {settings.hasSparkline ? (
        <div className={classes.belowValue}>
          <Sparkline variable={variable} rangeMs={settings.rangeMs} />
        </div>
      ) : null}
    </div>
  );
}

/** The course of one Variable without axes, with its newest value. */
export function SparklineWidget({ settings }: { settings: Settings }) {
  const state = useWidgetValue(settings);
  if (state.kind !== 'value' && state.kind !== 'noData') return <NoValue state={state} />;
  return (
    <div className={classes.sparkline}>
      <Text size="sm" component="div" truncate>
        {state.variable.name}{' '}
        <Text span fw={700} className="tabular">
          {state.kind === 'value'
            ? readingText(state.live.value, state.variable.unit, settings.decimals)
            : strings.ui.noValue}
        </Text>
      </Text>
      <div className={classes.course}>
        <Sparkline variable={state.variable} rangeMs={settings.rangeMs} />
      </div>
    </div>
  );
}

const START = Math.PI * 0.8;
const SWEEP = Math.PI * 1.4;
const RADIUS = 40;
const BAND_RADIUS = 47;

function arc(from: number, to: number, radius = RADIUS): string {
  const point = (share: number) => {
    const angle = START + SWEEP * share;
    return `${50 + radius * Math.cos(angle)} ${50 + radius * Math.sin(angle)}`;
  };
  const isLarge = (to - from) * SWEEP > Math.PI ? 1 : 0;
  return `M${point(from)}A${radius} ${radius} 0 ${isLarge} 1 ${point(to)}`;
}

/** A number on a scale from minimum to maximum, with the parts beyond its thresholds in their colours. */
export function GaugeWidget({ settings }: { settings: Settings }) {
  const state = useWidgetValue(settings);
  const value =
    state.kind === 'value' && typeof state.live.value === 'number' ? state.live.value : null;
  const { thresholds, severity } = useSeverity(settings, value);
  if (state.kind !== 'value') return <NoValue state={state} />;
  const { min = 0, max = 100, decimals } = settings;
  const share = value === null ? 0 : Math.min(1, Math.max(0, (value - min) / (max - min || 1)));
  return (
    <div className={classes.gauge} data-stale={state.isStale || undefined}>
      <div className={classes.dial} data-severity={severity ?? undefined}>
        <svg viewBox="0 0 100 86" aria-hidden>
          <path d={arc(0, 1)} className={classes.track} />
          {bandsOf(thresholds, min, max).map((band) => (
            <path
              key={band.from}
              d={arc(band.from, band.to, BAND_RADIUS)}
              className={classes.band}
              data-severity={band.severity}
            />
          ))}
          {share > 0 ? <path d={arc(0, share)} className={classes.filled} /> : null}
        </svg>
        <div>
          <Text className={`tabular ${classes.figure}`} component="div">
            {value === null
              ? strings.ui.noValue
              : readingText(value, state.variable.unit, decimals)}
          </Text>
          {severity ? <SeverityBadge severity={severity} /> : null}
          <Text size="xs" c="dimmed" component="div">
            {state.isStale ? <StaleMark /> : null}
            {strings.dashboards.widget.scale(numberText(min), numberText(max))}
          </Text>
        </div>
      </div>
    </div>
  );
}
