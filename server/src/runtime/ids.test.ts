import { describe, expect, it } from 'vitest';
import { createIds, isUuid } from './ids.ts';

describe('ids', () => {
  it('are lower-case UUIDs of version 7 that carry their time', () => {
    const id = createIds({ now: () => 0x0123456789ab, elapsed: () => 0 })();
    expect(id).toMatch(/^01234567-89ab-7[0-9a-f]{3}-[89ab][0-9a-f]{3}-[0-9a-f]{12}$/);
    expect(isUuid(id)).toBe(true);
  });

  it('ascend within a millisecond, past the counter and when the clock steps back', () => {
    let now = 1_000_000;
    const newId = createIds({ now: () => now, elapsed: () => now });
    const ids = Array.from({ length: 10_000 }, (_, index) => {
      if (index === 5_000) now -= 500;
      return newId();
    });
    expect(ids).toEqual([...ids].sort());
    expect(new Set(ids).size).toBe(ids.length);
  });

  it.each([
    '',
    'x',
    '018f0000-0000-7000-8000-00000000000',
    '018f0000000070008000000000000001',
    ' 018f0000-0000-7000-8000-000000000001',
    '018f0000-0000-7000-8000-000000000001\n',
  ])('are not %j', (text) => {
    expect(isUuid(text)).toBe(false);
  });
});
