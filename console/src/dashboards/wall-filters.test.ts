import { expect, it } from 'vitest';
import { MAX_ROTATED_BOARDS, parseWallFilters } from './wall-filters.ts';

it('a link to a board keeps refresh interval, target and rotation', () => {
  const filters = {
    wall: true as const,
    refresh: 5,
    target: 'site',
    boards: ['a', 'b'],
    seconds: 20,
  };
  expect(parseWallFilters(filters)).toEqual(filters);
});

it.each([
  ['an interval of 0 seconds', { refresh: 0 }],
  ['an interval of 3601 seconds', { refresh: 3_601 }],
  ['a rotation every 4 seconds', { seconds: 4 }],
  ['a rotation every 3601 seconds', { seconds: 3_601 }],
  ['a wall that is no switch', { wall: 'yes' }],
  ['a list of boards that is none', { boards: { 0: 'a' } }],
])('%s in a link is ignored', (_, raw) => {
  expect(parseWallFilters(raw)).toEqual({});
});

it('a wall shows each board once, and a limited number of them', () => {
  const many = Array.from({ length: 50 }, (_, index) => `board ${index}`);
  expect(parseWallFilters({ boards: ['a', 'a', 'b'] })).toEqual({ boards: ['a', 'b'] });
  expect(parseWallFilters({ boards: many }).boards).toHaveLength(MAX_ROTATED_BOARDS);
});
