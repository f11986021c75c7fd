import { describe, expect, it } from 'vitest';
import { minRowsPx, tableLayout } from './table-layout.ts';

describe('tableLayout', () => {
  it.each([
    [336, 3, false, 'cards'],
    [336, 2, false, 'tight'],
    [640, 6, false, 'tight'],
    [900, 6, false, 'rows'],
    [752, 6, true, 'cards'],
    [900, 6, true, 'rows'],
  ] as const)('at %i px of %i columns, wide: %s, is %s', (width, count, isWide, expected) => {
    expect(tableLayout(width, 0, minRowsPx(count, isWide))).toBe(expected);
  });

  it('is cards while the container is narrower than rows that did not fit', () => {
    expect(tableLayout(1_000, 1_119, 600)).toBe('cards');
    expect(tableLayout(1_119, 1_119, 600)).toBe('rows');
  });
});
