import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { moved, pointOf, RATIO, viewOf, WORLD, zoomed } from './projection.ts';

const points = fc.array(
  fc.record({
    x: fc.double({ min: 0, max: 360, noNaN: true }),
    y: fc.double({ min: 0, max: 180, noNaN: true }),
  }),
  { minLength: 1, maxLength: 20 },
);

describe('a map', () => {
  it('has north above and west on the left', () => {
    expect(pointOf(90, -180)).toEqual({ x: 0, y: 0 });
    expect(pointOf(-90, 180)).toEqual({ x: 360, y: 180 });
    expect(viewOf([])).toEqual(WORLD);
  });

  it('shows all its points', () => {
    fc.assert(
      fc.property(points, (all) => {
        const view = viewOf(all);
        for (const { x, y } of all) {
          expect(x).toBeGreaterThanOrEqual(view.x - 1e-9);
          expect(x).toBeLessThanOrEqual(view.x + view.width + 1e-9);
          expect(y).toBeGreaterThanOrEqual(view.y - 1e-9);
          expect(y).toBeLessThanOrEqual(view.y + view.width * RATIO + 1e-9);
        }
      }),
    );
  });

  it('never leaves the world, however it is moved and zoomed', () => {
    const number = fc.double({ min: -1_000, max: 1_000, noNaN: true });
    const factor = fc.double({ min: 0.01, max: 100, noNaN: true });
    fc.assert(
      fc.property(points, number, number, factor, (all, dx, dy, by) => {
        const view = zoomed(moved(viewOf(all), dx, dy), by);
        expect(view.x).toBeGreaterThanOrEqual(0);
        expect(view.y).toBeGreaterThanOrEqual(0);
        expect(view.x + view.width).toBeLessThanOrEqual(360 + 1e-9);
        expect(view.y + view.width * RATIO).toBeLessThanOrEqual(180 + 1e-9);
      }),
    );
  });
});
