import { escapeControls } from '../../../runtime/index.ts';

/** One entry of a calendar. */
export interface CalendarEvent {
  readonly uid: string;
  readonly summary: string;
  readonly from: number;
  readonly to: number;
}

/** A line has at most so many bytes without its end (RFC 5545, section 3.1). */
const MAX_LINE_BYTES = 75;

/** A calendar in the format of RFC 5545. */
export function calendarText(name: string, events: readonly CalendarEvent[], now: number): string {
  const lines = [
    'BEGIN:VCALENDAR',
    'VERSION:2.0',
    'PRODID:-//Fieldwatch//Rotas//EN',
    'CALSCALE:GREGORIAN',
    `X-WR-CALNAME:${escapedText(name)}`,
    ...events.flatMap(({ uid, summary, from, to }) => [
      'BEGIN:VEVENT',
      `UID:${uid}`,
      `DTSTAMP:${utcTime(now)}`,
      `DTSTART:${utcTime(from)}`,
      `DTEND:${utcTime(to)}`,
      `SUMMARY:${escapedText(summary)}`,
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
    ]),
    'END:VCALENDAR',
  ];
  return lines.map((line) => `${folded(line)}\r\n`).join('');
}

function utcTime(moment: number): string {
  return `${new Date(moment).toISOString().slice(0, 19).replaceAll(/[-:]/g, '')}Z`;
}

/** Section 3.3.11; a line break of a name cannot begin another property. */
function escapedText(text: string): string {
  const oneLine = escapeControls(text.replaceAll(/\r\n|[\r\n]/g, ' '));
  return oneLine.replaceAll(/[\\;,]/g, '\\$&');
}

/** Continues after a line break and a space, never within a character. */
function folded(line: string): string {
  let result = '';
  let bytes = 0;
  for (const character of line) {
    const size = Buffer.byteLength(character);
    if (bytes + size > MAX_LINE_BYTES) {
      result += '\r\n ';
      bytes = 1;
    }
    result += character;
    bytes += size;
  }
  return result;
}
