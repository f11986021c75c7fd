import { describe, expect, it } from 'vitest';
import { placeLabels } from './threshold-labels.ts';

const area = { left: 0, right: 400, top: 0, bottom: 300, rowPx: 10 };

/** Whether two labels of this width cover each other. */
function overlap(places: readonly { x: number; y: number }[], width: number): boolean {
  return places.some((one, index) =>
    places
      .slice(index + 1)
      .some((other) => Math.abs(one.y - other.y) < 10 && Math.abs(one.x - other.x) < width),
  );
}

describe('placeLabels', () => {
  it('puts a label above its line, and below a line at the top', () => {
    expect(placeLabels([{ y: 100, width: 50 }], area)).toEqual([{ x: 0, y: 97 }]);
    expect(placeLabels([{ y: 5, width: 50 }], area)).toEqual([{ x: 0, y: 18 }]);
  });

  it('puts the labels of close and of equal lines side by side, each at its own line', () => {
    const places = placeLabels(
      [100, 104, 104].map((y) => ({ y, width: 50 })),
      area,
    );
    expect(places.map(({ y }) => y)).toEqual([97, 101, 101]);
    expect(overlap(places, 50)).toBe(false);
  });

  it('puts labels one below the other where the width does not suffice', () => {
    const places = placeLabels(
      [100, 101, 102, 103].map((y) => ({ y, width: 150 })),
      area,
    );
    expect(overlap(places, 150)).toBe(false);
    expect(places.every(({ x }) => x + 150 <= area.right)).toBe(true);
  });
});
