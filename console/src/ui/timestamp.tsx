import { Text, Tooltip } from '@mantine/core';
import { useNow } from '../runtime/index.ts';
import { strings } from '../strings/index.ts';
import { exactTime, relativeTime, shortTime, timeZoneAt, utcTime } from './format.ts';
import classes from './timestamp.module.css';

interface Props {
  /** ISO text or epoch milliseconds; null for never. */
  readonly at: string | number | null;
  /** Whether the exact time, the relative time or both are shown. */
  readonly form?: 'both' | 'relative' | 'exact';
  readonly never?: string;
}

/** A time in the viewer's zone; exact time and UTC on hover. */
export function Timestamp({ at, form = 'both', never = strings.ui.never }: Props) {
  const now = useNow();
  if (at === null) return <span>{never}</span>;
  const ms = typeof at === 'number' ? at : Date.parse(at);
  const exact = shortTime(ms, now);
  return (
    <Tooltip
      multiline
      label={
        <>
          <bdi>{exactTime(ms)}</bdi> {timeZoneAt(ms)}
          <br />
          {utcTime(ms)}
        </>
      }
    >
      <time
        dateTime={utcTime(ms).replace(' UTC', 'Z').replace(' ', 'T')}
        className={classes.timestamp}
      >
        {/* Dates of a locale that is written from right to left keep their order in an English text. */}
        <bdi>{form === 'relative' ? relativeTime(ms, now) : exact}</bdi>
        {form === 'both' ? (
          <>
            {' '}
            <Text span size="xs" c="dimmed">
              {relativeTime(ms, now)}
            </Text>
          </>
        ) : null}
      </time>
    </Tooltip>
  );
}
