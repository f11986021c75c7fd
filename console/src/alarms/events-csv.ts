import { csvCell } from '../runtime/index.ts';
import type { AlarmEvent } from '../service/index.ts';

const COLUMNS = [
  'id',
  'alarmName',
  'severity',
  'deviceName',
  'deviceVariableName',
  'operator',
  'thresholdValue',
  'raisedDateTime',
  'raisedValue',
  'clearedDateTime',
  'clearedValue',
  'clearedReason',
  'acknowledgedDateTime',
  'acknowledgedBy',
] as const;

/** Events as CSV, one per line, notes in the last column. */
export function eventsCsv(events: readonly AlarmEvent[]): string {
  const lines = events.map((event) =>
    [
      ...COLUMNS.map((column) => csvCell(event[column])),
      csvCell(event.notes.map(({ author, text }) => `${author}: ${text}`).join(' | ')),
    ].join(','),
  );
  return `${[[...COLUMNS, 'notes'].join(','), ...lines].join('\r\n')}\r\n`;
}
