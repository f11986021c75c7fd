import { Box, Text, Tooltip } from '@mantine/core';
import { strings } from '../strings/index.ts';
import { exactTime, readingText } from '../ui/index.ts';
import { stripeColour } from './colours.ts';
import type { StateHistory } from './histories.ts';
import type { Range } from './range.ts';
import classes from './state-timeline.module.css';

interface Props {
  readonly history: StateHistory;
  readonly range: Range;
  /** The room beside the time axis of the chart above, so that equal times are below each other. */
  readonly insets: { readonly leftPx: number; readonly rightPx: number };
}

/** States over time as stripes; equal values have equal colours. */
export function StateTimeline({ history, range, insets }: Props) {
  const { variable, segments } = history;
  const length = range.endMs - range.startMs;
  const values = [...new Set(segments.map(({ value }) => String(value)))];
  return (
    <Box mt="xs" ml={insets.leftPx} mr={insets.rightPx}>
      <Text size="xs">{variable.name}</Text>
      <div className={classes.band} role="img" aria-label={strings.charts.about(variable.name)}>
        {segments.map(({ startTime, endTime, value }) => {
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
      </div>
    </Box>
  );
}
