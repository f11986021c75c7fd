/** A projected point: x from 0 (west) to 360, y from 0 (north) to 360. */
export interface Point {
  readonly x: number;
  readonly y: number;
}

/** The visible part of the projection: its north-western corner and its width. */
export interface View extends Point {
  readonly width: number;
}

/** The size of the map on the page, in pixels. */
export interface Frame {
  readonly width: number;
  readonly height: number;
}

const WORLD = 360;
/** The latitude at which the Mercator projection is a square. */
const LAST_LATITUDE = 85.05;
const MIN_WIDTH = 0.02;
/** The margin around the outermost markers, so that their names are visible. */
const ROOM = 1.7;
/** The width around a single marker: about a country. */
const NEAR = 14;
/** The width of the world at zoom 0 in web maps, in pixels. */
const TILE_PX = 256;

/** Mercator has familiar shapes, and equal scales in both directions at each point. */
export function pointOf(latitude: number, longitude: number): Point {
  const north = Math.min(LAST_LATITUDE, Math.max(-LAST_LATITUDE, latitude));
  const angle = (north * Math.PI) / 180;
  const stretched = (Math.log(Math.tan(Math.PI / 4 + angle / 2)) * 180) / Math.PI;
  return { x: longitude + 180, y: 180 - stretched };
}

const ratioOf = ({ width, height }: Frame) => height / width;

/** Limits a view to the world. In a frame higher than the world, the world is centred. */
function within(view: View, frame: Frame): View {
  const width = Math.min(WORLD, Math.max(MIN_WIDTH, view.width));
  const beyond = WORLD - width * ratioOf(frame);
  return {
    x: Math.min(WORLD - width, Math.max(0, view.x)),
    y: beyond < 0 ? beyond / 2 : Math.min(beyond, Math.max(0, view.y)),
    width,
  };
}

function around({ x, y }: Point, width: number, frame: Frame): View {
  return within({ x: x - width / 2, y: y - (width * ratioOf(frame)) / 2, width }, frame);
}

/** The smallest view that shows all points with a margin; the world without points. */
export function viewOf(points: readonly Point[], frame: Frame): View {
  if (points.length === 0) return around({ x: 180, y: 150 }, WORLD, frame);
  const xs = points.map(({ x }) => x);
  const ys = points.map(({ y }) => y);
  const [west, east] = [Math.min(...xs), Math.max(...xs)];
  const [north, south] = [Math.min(...ys), Math.max(...ys)];
  const wide = Math.max(east - west, (south - north) / ratioOf(frame)) * ROOM;
  const middle = { x: (west + east) / 2, y: (north + south) / 2 };
  return around(middle, Math.max(wide, points.length === 1 ? NEAR : MIN_WIDTH), frame);
}

/** The view of a web map with this centre and zoom. */
export function viewAt(centre: Point, zoom: number, frame: Frame): View {
  return around(centre, (WORLD * frame.width) / (TILE_PX * 2 ** zoom), frame);
}

/** Zooms towards a point of the frame, in pixels, or away from it. */
export function zoomed(view: View, factor: number, at: Point, frame: Frame): View {
  const width = within({ ...view, width: view.width * factor }, frame).width;
  const gained = (view.width - width) / frame.width;
  return within({ x: view.x + gained * at.x, y: view.y + gained * at.y, width }, frame);
}

/** Pans by pixels. */
export function dragged(view: View, byX: number, byY: number, frame: Frame): View {
  const scale = view.width / frame.width;
  return within({ ...view, x: view.x - byX * scale, y: view.y - byY * scale }, frame);
}

/** The position of a projected point in the frame, in pixels. */
export function pixelOf(point: Point, view: View, frame: Frame): Point {
  const scale = frame.width / view.width;
  return { x: (point.x - view.x) * scale, y: (point.y - view.y) * scale };
}
