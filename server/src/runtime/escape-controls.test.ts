import { describe, expect, it } from 'vitest';
import { escapeControls } from './escape-controls.ts';

describe('escapeControls', () => {
  it.each([
    ['a line break', 'a\r\nb', 'a\\u000d\\u000ab'],
    ['an escape sequence of a terminal', '\u001b[2J', '\\u001b[2J'],
    ['a C1 control', '\u009b2J', '\\u009b2J'],
    ['a right-to-left override', 'gpj\u202eexe', 'gpj\\u202eexe'],
    ['an isolate', '\u2066x\u2069', '\\u2066x\\u2069'],
    ['a line separator', 'a\u2028b', 'a\\u2028b'],
  ])('shows %s as an escape', (_, text, escaped) => {
    expect(escapeControls(text)).toBe(escaped);
  });

  it('leaves letters of every script, spaces and emoji as they are', () => {
    const text = 'Öl-Druck 低 ضغط לחץ 🛢️ a\u00a0b';
    expect(escapeControls(text)).toBe(text);
  });

  it('keeps the meaning of a line of JSON', () => {
    const value = { name: 'x\u202ey\u0085z' };
    expect(JSON.parse(escapeControls(JSON.stringify(value)))).toEqual(value);
  });
});
