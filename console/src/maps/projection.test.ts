import { describe, expect, it } from 'vitest';
import { dragged, pixelOf, pointOf, viewAt, viewOf, zoomed } from './projection.ts';

const WIDE = { width: 800, height: 400 };
const TALL = { width: 300, height: 600 };

const isInside = (
  latitude: number,
  longitude: number,
  view: ReturnType<typeof viewOf>,
  frame = WIDE,
) => {
  const { x, y } = pixelOf(pointOf(latitude, longitude), view, frame);
  return x >= 0 && y >= 0 && x <= frame.width && y <= frame.height;
};

describe('the Mercator projection', () => {
  it('has its origin in the centre and is a square', () => {
    expect(pointOf(0, 0)).toEqual({ x: 180, y: 180 });
    expect(pointOf(90, -180).y).toBeCloseTo(0, 0);
    expect(pointOf(-90, 180).y).toBeCloseTo(360, 0);
  });
});

describe('a view', () => {
  const places = [
    [48.2, 16.4],
    [-33.9, 151.2],
    [40.7, -74],
  ] as const;

  it('includes all markers in a frame of any shape', () => {
    for (const frame of [WIDE, TALL]) {
      const view = viewOf(
        places.map(([latitude, longitude]) => pointOf(latitude, longitude)),
        frame,
      );
      for (const [latitude, longitude] of places) {
        expect(isInside(latitude, longitude, view, frame)).toBe(true);
      }
    }
  });

  it('of two points in one town is narrower than a country', () => {
    const view = viewOf([pointOf(48.2, 16.3), pointOf(48.25, 16.4)], WIDE);
    expect(view.width).toBeLessThan(1);
  });

  it('keeps the point under the pointer while zooming', () => {
    const view = viewOf([pointOf(48.2, 16.4)], WIDE);
    const at = { x: 600, y: 100 };
    const scale = view.width / WIDE.width;
    const under = { x: view.x + at.x * scale, y: view.y + at.y * scale };
    const closer = zoomed(view, 0.5, at, WIDE);
    const { x, y } = pixelOf(under, closer, WIDE);
    expect(x).toBeCloseTo(at.x, 6);
    expect(y).toBeCloseTo(at.y, 6);
    expect(closer.width).toBeCloseTo(view.width / 2, 9);
  });

  it('pans with the pointer, within the world', () => {
    const view = viewAt(pointOf(0, 0), 4, WIDE);
    const { x } = pixelOf(pointOf(0, 0), dragged(view, 50, 0, WIDE), WIDE);
    expect(x).toBeCloseTo(450, 6);
    expect(dragged(view, 1e6, 1e6, WIDE)).toMatchObject({ x: 0, y: 0 });
  });

  it('is at most as wide as the world', () => {
    expect(zoomed(viewOf([], WIDE), 100, { x: 0, y: 0 }, WIDE).width).toBe(360);
    expect(zoomed(viewOf([], TALL), 100, { x: 0, y: 0 }, TALL)).toEqual({
      x: 0,
      y: -180,
      width: 360,
    });
  });
});
