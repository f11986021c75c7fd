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

/** Quotes a cell so that a spreadsheet does not run it as a formula. */
function cell(value: string | number | boolean | null): string {
  if (value === null) return '';
  const text = String(value);
  const safe = typeof value === 'string' && /^[=+\-@\t\r]/.test(text) ? `'${text}` : text;
  return /[",\n\r]/.test(safe) ? `"${safe.replaceAll('"', '""')}"` : safe;
}

/** Events as CSV, one per line, notes in the last column. */
export function eventsCsv(events: readonly AlarmEvent[]): string {
  const lines = events.map((event) =>
    [
      ...COLUMNS.map((column) => cell(event[column])),
      cell(event.notes.map(({ author, text }) => `${author}: ${text}`).join(' | ')),
    ].join(','),
  );
  return `${[[...COLUMNS, 'notes'].join(','), ...lines].join('\r\n')}\r\n`;
}
