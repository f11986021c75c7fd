import type { Frame, View } from './projection.ts';

/** A square picture of a tile server and its place in the frame, in pixels. */
export interface Tile {
  readonly key: string;
  readonly url: string;
  readonly left: number;
  readonly top: number;
  readonly size: number;
}

const WORLD = 360;
const TILE_PX = 256;
/** Common tile servers have no closer ones. */
const MAX_ZOOM = 19;

/** The tiles that cover a view, at the zoom level whose tiles are nearest to their own size. */
export function tilesOf(view: View, frame: Frame, template: string): readonly Tile[] {
  const worldPx = (WORLD * frame.width) / view.width;
  const zoom = Math.min(MAX_ZOOM, Math.max(0, Math.round(Math.log2(worldPx / TILE_PX))));
  const count = 2 ** zoom;
  const size = worldPx / count;
  const perPoint = count / WORLD;
  const height = (view.width * frame.height) / frame.width;
  const columns = indexes(view.x * perPoint, (view.x + view.width) * perPoint, count);
  const rows = indexes(view.y * perPoint, (view.y + height) * perPoint, count);
  return rows.flatMap((y) =>
    columns.map((x) => ({
      key: `${zoom}/${x}/${y}`,
      url: template
        .replace('{z}', String(zoom))
        .replace('{x}', String(x))
        .replace('{y}', String(y)),
      left: x * size - view.x * perPoint * size,
      top: y * size - view.y * perPoint * size,
      size,
    })),
  );
}

/** The whole numbers of the tiles from a start to an end, within the world. */
function indexes(start: number, end: number, count: number): readonly number[] {
  const first = Math.max(0, Math.floor(start));
  const last = Math.min(count, Math.ceil(end));
  return Array.from({ length: Math.max(0, last - first) }, (_, index) => first + index);
}
