import { Tooltip } from '@mantine/core';
import { Link } from '@tanstack/react-router';
import { endingNow, type Range } from '../charts/index.ts';
import { useNow } from '../runtime/index.ts';
import type { AlarmEvent } from '../service/index.ts';
import { strings } from '../strings/index.ts';
import { exactTime, SEVERITY_TONES } from '../ui/index.ts';
import classes from './event-timeline.module.css';

interface Props {
  readonly events: readonly AlarmEvent[];
  readonly range: Range;
}

const TICKS = [0, 0.25, 0.5, 0.75, 1];
const ROW_PX = 8;
const MIN_BAR_PX = 3;

/** Assigns overlapping events to different rows. */
function rowsOf(events: readonly AlarmEvent[]): Map<string, number> {
  const ends: number[] = [];
  const rows = new Map<string, number>();
  for (const event of events.toSorted((a, b) => (a.raisedDateTime < b.raisedDateTime ? -1 : 1))) {
    const start = Date.parse(event.raisedDateTime);
    const end = event.clearedDateTime
      ? Date.parse(event.clearedDateTime)
      : Number.POSITIVE_INFINITY;
    const free = ends.findIndex((busyUntil) => busyUntil < start);
    const row = free === -1 ? ends.length : free;
    ends[row] = end;
    rows.set(event.id, row);
  }
  return rows;
}

/** A timeline of the events on the page. */
export function EventTimeline({ events, ...props }: Props) {
  const range = endingNow(props.range, useNow());
  const rows = rowsOf(events);
  const length = range.endMs - range.startMs;
  const share = (ms: number) => Math.min(1, Math.max(0, (ms - range.startMs) / length));
  const height = (Math.max(0, ...rows.values()) + 1) * ROW_PX;
  return (
    <figure className={classes.figure} aria-label={strings.alarms.history.timeline}>
      <div className={classes.band} style={{ height: height + 8 }}>
        {events.map(({ id, alarmName, severity, raisedDateTime, clearedDateTime }) => {
          const from = share(Date.parse(raisedDateTime));
          const to = clearedDateTime ? share(Date.parse(clearedDateTime)) : 1;
          return (
            <Tooltip key={id} label={`${alarmName}, ${exactTime(Date.parse(raisedDateTime))}`}>
              <Link
                to={`/alarms/events/${id}`}
                aria-label={alarmName}
                tabIndex={-1}
                className={classes.bar}
                style={{
                  // The newest event is at the end, where it would be outside.
                  left: `min(${from * 100}%, 100% - ${MIN_BAR_PX}px)`,
                  width: `max(${MIN_BAR_PX}px, ${(to - from) * 100}%)`,
                  top: 4 + (rows.get(id) ?? 0) * ROW_PX,
                  background: `var(--fw-${SEVERITY_TONES[severity]}-solid)`,
                }}
              />
            </Tooltip>
          );
        })}
      </div>
      <div className={classes.axis} aria-hidden>
        {TICKS.map((tick) => (
          <span key={tick}>{exactTime(range.startMs + tick * length)}</span>
        ))}
      </div>
    </figure>
  );
}
