import type { AlarmEvent, AuditEntry } from '../service/index.ts';
import { operations, strings } from '../strings/index.ts';
import type { Annotation } from './annotations.ts';

const words = strings.charts.annotations;

/** What alarm events say besides the periods in which they were active. */
export function eventAnnotations(events: readonly AlarmEvent[]): Annotation[] {
  return events.flatMap((event): Annotation[] => {
    const { id, alarmName, severity, acknowledgedDateTime, acknowledgedBy, notes } = event;
    const path = `/alarms/history/${id}`;
    const raised: Annotation = {
      ms: Date.parse(event.raisedDateTime),
      kind: 'alarm',
      text: words.raised(alarmName, strings.severities[severity]),
      path,
    };
    const acknowledged: Annotation[] = acknowledgedDateTime
      ? [
          {
            ms: Date.parse(acknowledgedDateTime),
            kind: 'acknowledgement',
            text: words.acknowledged(alarmName, acknowledgedBy ?? ''),
            path,
          },
        ]
      : [];
    const written = notes.map(({ createdDateTime, author, text }): Annotation => {
      return {
        ms: Date.parse(createdDateTime),
        kind: 'note',
        text: words.note(author, text),
        path,
      };
    });
    return [raised, ...acknowledged, ...written];
  });
}

/** The changes of records, each with its operation and its author. */
export function changeAnnotations(entries: readonly AuditEntry[]): Annotation[] {
  const names = operations as Readonly<Record<string, string>>;
  return entries.map(({ occurredDateTime, operation, actor }) => ({
    ms: Date.parse(occurredDateTime),
    kind: 'change',
    text: words.changed(names[operation] ?? operation, actor.name),
  }));
}

/** Where the online Variable of a Device changes. Its first known state is no change. */
export function presenceAnnotations(
  device: string,
  segments: readonly { readonly startTime: number; readonly value: unknown }[],
): Annotation[] {
  return segments.slice(1).map(({ startTime, value }) => ({
    ms: startTime,
    kind: 'offline',
    text: value === true ? words.online(device) : words.offline(device),
  }));
}
