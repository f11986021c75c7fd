import { COLUMNS, type Widget } from './widget.ts';

const MOST_ROWS = 10_000;
const MOST_HEIGHT = 100;

/** Where a widget lies and how large it is, in cells of the grid. */
export type Place = Pick<Widget, 'x' | 'y' | 'w' | 'h'>;

const between = (least: number, value: number, most: number) =>
  Math.min(most, Math.max(least, Math.round(value)));

function overlap(a: Place, b: Place): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/** The nearest place within the grid. The size goes before the position. */
function within({ x, y, w, h }: Place): Place {
  const width = between(1, w, COLUMNS);
  return {
    w: width,
    h: between(1, h, MOST_HEIGHT),
    x: between(0, x, COLUMNS - width),
    y: between(0, y, MOST_ROWS),
  };
}

/** One widget elsewhere. What lies there makes room downwards; everything else stays. */
export function withPlace(widgets: readonly Widget[], id: string, place: Place): Widget[] {
  const first = widgets.find((widget) => widget.id === id);
  if (!first) return [...widgets];
  const settled: Widget[] = [{ ...first, ...within(place) }];
  const others = widgets
    .filter((widget) => widget.id !== id)
    .toSorted((a, b) => a.y - b.y || a.x - b.x);
  for (const other of others) {
    let moved = other;
    for (;;) {
      const met = settled.find((each) => overlap(each, moved));
      if (!met) break;
      moved = { ...moved, y: met.y + met.h };
    }
    settled.push(moved);
  }
  const byId = new Map(settled.map((widget) => [widget.id, widget]));
  return widgets.map((widget) => byId.get(widget.id) ?? widget);
}

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The place that an arrow key asks for: the next cell, or with shift the next size. */
export function placeByKey(place: Place, key: string, isShifted: boolean): Place | null {
  const [dx, dy] = MOVES[key] ?? [0, 0];
  if (dx === 0 && dy === 0) return null;
  const { x, y, w, h } = place;
  if (!isShifted) return within({ x: x + dx, y: y + dy, w, h });
  return within({ x, y, w: Math.min(w + dx, COLUMNS - x), h: h + dy });
}
