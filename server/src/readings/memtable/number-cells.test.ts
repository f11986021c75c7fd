import fc from 'fast-check';
import { expect, it } from 'vitest';
import { BlockPool } from './block-pool.ts';
import { decimalCell, listedCell, NOT_DECIMAL, NumberList, numberOf } from './number-cells.ts';

const decimal = fc
  .tuple(fc.integer({ min: -(2 ** 31), max: 2 ** 31 }), fc.integer({ min: 0, max: 8 }))
  .map(([integer, places]) => Number(`${integer}e-${places}`));
const edge = fc
  .tuple(fc.integer({ min: -3, max: 3 }), fc.integer({ min: 0, max: 6 }), fc.constantFrom(1, -1))
  .map(([beside, places, sign]) => Number(`${sign * (2 ** 28 + beside)}e-${places}`));
const special = fc.constantFrom(
  ...[0, -0, 0.1 + 0.2, 1e-7, -1e-7, 5e-324, Number.MAX_VALUE, 2 ** 53, 1 / 3],
);

it('a cell is read back as exactly the number that it was made of', () => {
  const number = fc.oneof(decimal, edge, special, fc.double({ noNaN: true }));
  fc.assert(
    fc.property(fc.array(number, { maxLength: 100 }), (numbers) => {
      const list = new NumberList(new BlockPool());
      const cells = numbers.map((each) => {
        const cell = decimalCell(each);
        return cell === NOT_DECIMAL ? listedCell(list.add(each)) : cell;
      });
      expect(cells.every((cell) => cell === (cell | 0))).toBe(true);
      const read = cells.map((cell) => numberOf(cell, list));
      expect(read.every((each, index) => Object.is(each, numbers[index]))).toBe(true);
    }),
    { numRuns: 1_000 },
  );
});

it.each([
  0, 1, -1, 230.1, 49.98, -12.345, 268_435.455, 2_684_354.55, 26_843_545.5, 268_435_455, 21.5012,
  1.000_001,
])('%d is stored without the list', (number) => {
  expect(decimalCell(number)).not.toBe(NOT_DECIMAL);
});

it.each([-0, 1 / 3, 0.1 + 0.2, 268_435_456, 268_435.4567, 1e-7])('%d is listed', (number) => {
  expect(decimalCell(number)).toBe(NOT_DECIMAL);
});

it('a list returns the numbers of several blocks by their places', () => {
  const list = new NumberList(new BlockPool());
  const places = Array.from({ length: 150_000 }, (_, place) => list.add(place / 7));
  expect(places.every((place, index) => place === index)).toBe(true);
  for (const place of [0, 65_535, 65_536, 131_072, 149_999]) expect(list.at(place)).toBe(place / 7);
});
