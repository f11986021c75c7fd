import { describe, expect, it } from 'vitest';
import { calendarText } from './ical.ts';

const at = Date.parse('2026-11-17T08:00:00Z');
const event = (summary: string) => ({ uid: 'shift-1', summary, from: at, to: at + 3_600_000 });

describe('a calendar', () => {
  it('has its events in UTC', () => {
    expect(calendarText('Night', [event('Ann')], at).split('\r\n')).toEqual([
      'BEGIN:VCALENDAR',
      'VERSION:2.0',
      'PRODID:-//Fieldwatch//Rotas//EN',
      'CALSCALE:GREGORIAN',
      'X-WR-CALNAME:Night',
      'BEGIN:VEVENT',
      'UID:shift-1',
      'DTSTAMP:20261117T080000Z',
      'DTSTART:20261117T080000Z',
      'DTEND:20261117T090000Z',
      'SUMMARY:Ann',
      'TRANSP:TRANSPARENT',
      'END:VEVENT',
      'END:VCALENDAR',
      '',
    ]);
  });

  it('escapes text, so that a name cannot add a property', () => {
    const text = calendarText('a,b;c\\d\r\nURL:https://evil.example', [], at);
    expect(text).toContain('X-WR-CALNAME:a\\,b\\;c\\\\d URL:https://evil.example\r\n');
  });

  it.each([74, 75, 76, 150, 230])('folds lines of %i bytes, and no character', (length) => {
    const name = 'é'.repeat(length).slice(0, Math.ceil((length - 'X-WR-CALNAME:'.length) / 2));
    const text = calendarText(name, [], at);
    for (const line of text.split('\r\n')) expect(Buffer.byteLength(line)).toBeLessThanOrEqual(75);
    expect(text.replaceAll('\r\n ', '')).toContain(`X-WR-CALNAME:${name}\r\n`);
  });
});
