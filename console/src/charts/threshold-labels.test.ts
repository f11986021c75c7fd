import { describe, expect, it } from 'vitest';
import { placeLabels } from './threshold-labels.ts';

const area = { left: 0, right: 400, top: 0, bottom: 300, rowPx: 10 };

describe('placeLabels', () => {
  it('puts a label above its line, and below a line at the top', () => {
    expect(placeLabels([{ y: 100, width: 50 }], area)).toEqual([{ x: 0, y: 97 }]);
    expect(placeLabels([{ y: 5, width: 50 }], area)).toEqual([{ x: 0, y: 18 }]);
  });

  it('puts the labels of equal lines side by side', () => {
    const places = placeLabels(
      [104, 104, 104].map((y) => ({ y, width: 50 })),
      area,
    );
    expect(places).toEqual([101, 101, 101].map((y, index) => ({ x: index * 60, y })));
  });

  it('leaves out a label that would cover another line', () => {
    const places = placeLabels(
      [100, 108, 116].map((y) => ({ y, width: 50 })),
      area,
    );
    expect(places).toEqual([{ x: 0, y: 97 }, null, { x: 0, y: 129 }]);
  });

  it('leaves out a label that does not fit beside others, or that takes most of the width', () => {
    const wide = placeLabels(
      [100, 100, 100].map((y) => ({ y, width: 190 })),
      area,
    );
    // Two labels are above the line; the third has room below it.
    expect(wide).toEqual([
      { x: 0, y: 97 },
      { x: 200, y: 97 },
      { x: 0, y: 113 },
    ]);
    expect(placeLabels([{ y: 100, width: 201 }], area)).toEqual([null]);
  });
});
