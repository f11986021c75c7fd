import { describe, expect, it } from 'vitest';
import { parseFutureMoment, parseMoment } from './moment.ts';

describe('a moment in a request', () => {
  it.each([
    ['2026-11-15T08:30:00Z', '2026-11-15T08:30:00.000Z'],
    ['2026-11-15T08:30:00.5+02:00', '2026-11-15T06:30:00.500Z'],
    ['2026-11-15t08:30:00.123456z', '2026-11-15T08:30:00.123Z'],
    ['2026-11-15 08:30:00-05:30', '2026-11-15T14:00:00.000Z'],
  ])('may be written with any offset: %s', (text, utc) => {
    expect(parseMoment('expiresDateTime', text)).toBe(Date.parse(utc));
  });

  it.each([
    '9999-12-31T23:59:59-01:00',
    '0000-01-01T00:00:00Z',
    '1969-12-31T23:59:59Z',
    '2026-06-30T23:59:60Z',
    'tomorrow',
  ])('that cannot be stored is refused on its field: %s', (text) => {
    expect(() => parseMoment('expiresDateTime', text)).toThrow(
      expect.objectContaining({ errors: [expect.objectContaining({ path: 'expiresDateTime' })] }),
    );
  });

  it('that has to come must be in the future, to the millisecond', () => {
    const text = '2026-11-15T08:30:00.000Z';
    const moment = Date.parse(text);
    expect(parseFutureMoment('expiresDateTime', text, moment - 1)).toBe(moment);
    expect(() => parseFutureMoment('expiresDateTime', text, moment)).toThrow(/in the future/);
  });
});
