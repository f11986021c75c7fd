import { describe, expect, it } from 'vitest';
import { FORMATS, isDateTime } from './formats.ts';

describe('a date-time', () => {
  it.each([
    '2026-11-15T08:30:00Z',
    '2026-11-15T08:30:00.123Z',
    '2026-11-15T08:30:00.123456789+05:30',
    '2024-02-29T00:00:00-11:00',
    '2026-11-15t08:30:00z',
  ])('may be %s', (text) => {
    expect(isDateTime(text)).toBe(true);
    expect(new Date(text).getTime()).not.toBeNaN();
  });

  it.each([
    '2026-11-15',
    '2026-11-15T08:30:00',
    '2026-11-15 08:30:00Z',
    '2026-02-29T00:00:00Z',
    '2026-13-01T00:00:00Z',
    '2026-00-10T00:00:00Z',
    '2026-04-31T00:00:00Z',
    '2026-11-15T24:00:00Z',
    '2026-11-15T23:59:60Z',
    '2026-11-15T08:60:00Z',
    '2026-11-15T08:30:00+24:00',
    '0000-01-01T00:00:00Z',
    '1763195400000',
    '',
  ])('is never %s', (text) => {
    expect(isDateTime(text)).toBe(false);
  });
});

describe('an email address', () => {
  it.each([
    'a@b',
    'operator@example.com',
    'o.p+tag@sub.example.co',
    'ü@example.com',
    'a@localhost',
  ])('may be %s', (text) => {
    expect(FORMATS.email?.validate(text)).toBe(true);
  });

  it.each([
    '',
    'a',
    'a@',
    '@b',
    'a b@c',
    'a@b c',
    'a@@b',
    'a@b.',
    'a@.b',
    'a@-b',
    'a<b>@c',
    'a@b\n',
  ])('is never %j', (text) => {
    expect(FORMATS.email?.validate(text)).toBe(false);
  });

  it('is told apart from a long run of letters without delay', () => {
    expect(FORMATS.email?.validate(`a@${'a-'.repeat(100_000)}`)).toBe(false);
  });
});
