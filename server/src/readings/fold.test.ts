import { expect, it } from 'vitest';
import type { Piece } from './chunk-row.ts';
import { nextFold } from './fold.ts';

function piece(firstAt: number, lastAt: number, written: number, count = 100): Piece {
  return { firstAt, lastAt, written, count, min: 0, max: 0, sum: 0, first: 0, last: 0 };
}

it('chunks that are large and apart are left alone', () => {
  expect(nextFold([], 100)).toBeUndefined();
  expect(nextFold([piece(0, 9, 1), piece(10, 19, 2), piece(20, 29, 2)], 100)).toBeUndefined();
});

it('a chunk is folded with what was written right after it and overlaps it', () => {
  const pieces = [piece(0, 50, 1), piece(20, 30, 3), piece(25, 60, 2), piece(70, 80, 2)];
  expect(nextFold(pieces, 100)).toEqual({
    pieces: [pieces[0], pieces[2]],
    written: 2,
    most: 100,
  });
});

it('a chunk over very many others is cut into parts first', () => {
  const long = piece(0, 1000, 1, 160);
  const short = Array.from({ length: 65 }, (_, index) => piece(index * 10, index * 10 + 5, 2));
  expect(nextFold([long, ...short], 200)).toEqual({ pieces: [long], written: 1, most: 10 });
});

it('small neighbours are joined, as long as that doubles them', () => {
  const small = [piece(0, 1, 1, 10), piece(2, 3, 4, 10), piece(4, 5, 2, 10)];
  expect(nextFold(small, 100)).toEqual({ pieces: small, written: 4, most: 30 });
  expect(nextFold([piece(0, 1, 1, 50), piece(2, 3, 2, 10)], 100)).toBeUndefined();
});
