import { Box, Text, Tooltip } from '@mantine/core';
import { useState, useSyncExternalStore } from 'react';
import { strings } from '../strings/index.ts';
import { exactTime, readingText } from '../ui/index.ts';
import { stripeColour } from './colours.ts';
import { crosshair, leaveCrosshair } from './crosshair.ts';
import type { StateHistory } from './histories.ts';
import type { Range } from './range.ts';
import classes from './state-timeline.module.css';

interface Props {
  readonly history: StateHistory;
  readonly range: Range;
  /** The room beside the time axis of the chart above, so that equal times are below each other. */
  readonly insets: { readonly leftPx: number; readonly rightPx: number };
  /** Whether it is of an earlier range, and shown lighter. */
  readonly isCompared?: boolean;
}

/** States over time as stripes; equal values have equal colours. */
export function StateTimeline({ history, range, insets, isCompared = false }: Props) {
  const { variable, segments } = history;
  const [owner] = useState(() => ({}));
  const length = range.endMs - range.startMs;
  const values = [...new Set(segments.map(({ value }) => String(value)))];
  const shown = segments.filter(
    ({ startTime, endTime }) => startTime <= range.endMs && endTime >= range.startMs,
  );
  const point = ({ currentTarget, clientX }: React.PointerEvent) => {
    const { left, width } = currentTarget.getBoundingClientRect();
    const ms = Math.round(range.startMs + ((clientX - left) / width) * length);
    crosshair.set({ ms, owner, isByKeyboard: false });
  };
  return (
    <Box mt="xs" ml={insets.leftPx} mr={insets.rightPx}>
      <Text size="xs">{variable.name}</Text>
      <div
        className={classes.band}
        data-compared={isCompared || undefined}
        role="img"
        aria-label={strings.charts.about(variable.name)}
        onPointerMove={point}
        onPointerLeave={() => leaveCrosshair(owner)}
      >
        {shown.map(({ startTime, endTime, value }) => {
          const from = Math.max(startTime, range.startMs);
          const to = Math.min(endTime, range.endMs);
          const text = readingText(value, variable.unit);
          const colour = stripeColour(value, values.indexOf(String(value)));
          return (
            <Tooltip
              key={startTime}
              label={`${text}: ${exactTime(startTime)} – ${exactTime(endTime)}`}
            >
              <div
                className={classes.stripe}
                style={{
                  left: `${((from - range.startMs) / length) * 100}%`,
                  width: `${Math.max(0.15, ((to - from) / length) * 100)}%`,
                  background: colour,
                }}
              >
                <div className={classes.text}>
                  <span>{text}</span>
                </div>
              </div>
            </Tooltip>
          );
        })}
        <SharedLine range={range} />
      </div>
    </Box>
  );
}

/** The crosshair of the page. */
function SharedLine({ range: { startMs, endMs } }: { readonly range: Range }) {
  const at = useSyncExternalStore(crosshair.subscribe, crosshair.read);
  if (!at || at.ms < startMs || at.ms > endMs) return null;
  const left = `${((at.ms - startMs) / (endMs - startMs)) * 100}%`;
  return <div className={classes.line} style={{ left }} data-crosshair />;
}
