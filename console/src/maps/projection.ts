/** A point on the map: x from 0 (west) to 360, y from 0 (north) to 180. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

export interface View {
  readonly x: number;
  readonly y: number;
  readonly width: number;
}

export const WORLD: View = { x: 0, y: 0, width: 360 };
/** Height to width of the map on the page. */
export const RATIO = 0.5;
const LEAST_WIDTH = 0.05;
const ROOM = 1.6;

/** Degrees east and north as they lie on a flat sheet. */
export function pointOf(latitude: number, longitude: number): Point {
  return { x: longitude + 180, y: 90 - latitude };
}

function within(view: View): View {
  const width = Math.min(360, Math.max(LEAST_WIDTH, view.width));
  const x = Math.min(360 - width, Math.max(0, view.x));
  const y = Math.min(180 - width * RATIO, Math.max(0, view.y));
  return { x, y, width };
}

/** The smallest view that shows all points with room around them. */
export function viewOf(points: readonly Point[]): View {
  if (points.length === 0) return WORLD;
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [west, east] = [Math.min(...xs), Math.max(...xs)];
  const [north, south] = [Math.min(...ys), Math.max(...ys)];
  const width = Math.min(360, Math.max((east - west) * ROOM, ((south - north) * ROOM) / RATIO, 10));
  return within({
    x: (west + east) / 2 - width / 2,
    y: (north + south) / 2 - (width * RATIO) / 2,
    width,
  });
}

/** Closer to a point of the view (each from 0 to 1), or away from it. */
export function zoomed(view: View, factor: number, at: Point = { x: 0.5, y: 0.5 }): View {
  const width = Math.min(360, Math.max(LEAST_WIDTH, view.width * factor));
  const gained = view.width - width;
  return within({ x: view.x + gained * at.x, y: view.y + gained * RATIO * at.y, width });
}

export function moved(view: View, dx: number, dy: number): View {
  return within({ ...view, x: view.x + dx, y: view.y + dy });
}
