import { Text, Tooltip } from '@mantine/core';
import { useNow } from '../runtime/index.ts';
import { strings } from '../strings/index.ts';
import { exactTime, relativeTime, shortTime, timeZoneAt, utcTime } from './format.ts';

interface Given {
  /** ISO text or epoch milliseconds; nothing where it never was. */
  readonly at: string | number | null;
  /** Beside the exact time, alone, or not at all. */
  readonly form?: 'both' | 'relative' | 'exact';
  readonly never?: string;
}

/** A moment in the viewer's zone; the exact one and UTC on hover. */
export function When({ at, form = 'both', never = strings.ui.never }: Given) {
  const now = useNow();
  if (at === null) return <span>{never}</span>;
  const ms = typeof at === 'number' ? at : Date.parse(at);
  const exact = shortTime(ms, now);
  return (
    <Tooltip
      multiline
      label={
        <>
          {exactTime(ms)} {timeZoneAt(ms)}
          <br />
          {utcTime(ms)}
        </>
      }
    >
      <time
        dateTime={utcTime(ms).replace(' UTC', 'Z').replace(' ', 'T')}
        style={{ whiteSpace: 'nowrap' }}
      >
        {form === 'relative' ? relativeTime(ms, now) : exact}
        {form === 'both' ? (
          <Text span size="xs" c="dimmed">
            {' '}
            {relativeTime(ms, now)}
          </Text>
        ) : null}
      </time>
    </Tooltip>
  );
}
