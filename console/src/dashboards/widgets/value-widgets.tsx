import { Text } from '@mantine/core';
import { useLatest, useLiveValue } from '../../live/index.ts';
import { useRead, type Variable } from '../../service/index.ts';
import { strings } from '../../strings/index.ts';
import { numberText, readingText, Timestamp } from '../../ui/index.ts';
import type { Settings } from '../widget.ts';
import classes from './widgets.module.css';

function useVariable(id: string | null): Variable | undefined {
  const { data } = useRead(
    'retrieveVariable',
    { variableId: id ?? '' },
    { enabled: id !== null, staleMs: 60_000 },
  );
  useLatest(id === null ? [] : [id]);
  return id === null ? undefined : data;
}

/** One value, as large as the widget allows. */
export function ValueWidget({ settings }: { settings: Settings }) {
  const variable = useVariable(settings.variableId);
  const live = useLiveValue(settings.variableId ?? '');
  if (settings.variableId === null) return <Unconfigured />;
  return (
    <div className={classes.value}>
      <Text className={`tabular ${classes.figure}`} component="div">
        {live
          ? readingText(live.value, variable?.unit ?? null, settings.decimals)
          : strings.ui.noValue}
      </Text>
      <Text size="xs" c="dimmed" component="div">
        {variable?.name} {live ? <Timestamp at={live.timestamp} form="relative" /> : null}
      </Text>
    </div>
  );
}

const START = Math.PI * 0.8;
const SWEEP = Math.PI * 1.4;
const RADIUS = 40;

function arc(from: number, to: number): string {
  const point = (share: number) => {
    const angle = START + SWEEP * share;
    return `${50 + RADIUS * Math.cos(angle)} ${50 + RADIUS * Math.sin(angle)}`;
  };
  const isLarge = (to - from) * SWEEP > Math.PI ? 1 : 0;
  return `M${point(from)}A${RADIUS} ${RADIUS} 0 ${isLarge} 1 ${point(to)}`;
}

/** A number on a scale from minimum to maximum. */
export function GaugeWidget({ settings }: { settings: Settings }) {
  const variable = useVariable(settings.variableId);
  const live = useLiveValue(settings.variableId ?? '');
  if (settings.variableId === null) return <Unconfigured />;
  const { min = 0, max = 100, decimals } = settings;
  const value = typeof live?.value === 'number' ? live.value : null;
  const share = value === null ? 0 : Math.min(1, Math.max(0, (value - min) / (max - min || 1)));
  const text =
    value === null ? strings.ui.noValue : readingText(value, variable?.unit ?? null, decimals);
  return (
    <div className={classes.gauge}>
      <div className={classes.dial}>
        <svg viewBox="0 0 100 84" aria-hidden>
          <path d={arc(0, 1)} className={classes.track} />
          {share > 0 ? <path d={arc(0, share)} className={classes.filled} /> : null}
        </svg>
        <div>
          <Text className={`tabular ${classes.figure}`} component="div">
            {text}
          </Text>
          <Text size="xs" c="dimmed">
            {strings.dashboards.widget.scale(numberText(min), numberText(max))}
          </Text>
        </div>
      </div>
    </div>
  );
}

export function Unconfigured() {
  return (
    <Text size="sm" c="dimmed">
      {strings.dashboards.widget.unconfigured}
    </Text>
  );
}
