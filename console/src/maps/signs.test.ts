import { describe, expect, it } from 'vitest';
import { placeSigns } from './signs.ts';

const frame = { width: 400, height: 300 };

describe('placeSigns', () => {
  it('puts a sign to the right, and elsewhere where the frame would cut it', () => {
    const at = (x: number, y: number) => placeSigns([{ x, y, width: 120 }], frame)[0];
    expect(at(100, 150)).toEqual({ side: 'right', isHidden: false });
    expect(at(350, 150)).toEqual({ side: 'left', isHidden: false });
    expect(placeSigns([{ x: 200, y: 150, width: 300 }], frame)).toEqual([
      { side: 'below', isHidden: false },
    ]);
    expect(placeSigns([{ x: 200, y: 290, width: 300 }], frame)).toEqual([
      { side: 'above', isHidden: false },
    ]);
  });

  it('moves a sign that would cover another one or a dot', () => {
    const sides = placeSigns(
      [
        { x: 100, y: 150, width: 120 },
        { x: 100, y: 160, width: 90 },
        { x: 300, y: 100, width: 150 },
        { x: 280, y: 105, width: 50 },
      ],
      frame,
    );
    expect(sides).toEqual([
      { side: 'right', isHidden: false },
      { side: 'left', isHidden: false },
      { side: 'above', isHidden: false },
      { side: 'left', isHidden: false },
    ]);
  });

  it('moves a sign that would be below the buttons in the corner', () => {
    expect(placeSigns([{ x: 250, y: 20, width: 100 }], frame)).toEqual([
      { side: 'left', isHidden: false },
    ]);
    expect(placeSigns([{ x: 250, y: 80, width: 100 }], frame)).toEqual([
      { side: 'right', isHidden: false },
    ]);
  });

  it('hides the least important signs where there is no room', () => {
    const dots = Array.from({ length: 8 }, (_, index) => ({ x: 200 + index, y: 150, width: 150 }));
    const places = placeSigns(dots, frame);
    expect(places[0]?.isHidden).toBe(false);
    expect(places.filter(({ isHidden }) => isHidden).length).toBeGreaterThan(3);
  });
});
