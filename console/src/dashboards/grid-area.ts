import { GRID_COLUMNS } from '@fieldwatch/contract';
import type { Widget } from './widget.ts';

const MAX_ROWS = 10_000;
const MAX_HEIGHT = 100;

/** The position and size of a widget, in cells of the grid. */
export type GridArea = Pick<Widget, 'x' | 'y' | 'w' | 'h'>;

const clamp = (min: number, value: number, max: number) =>
  Math.min(max, Math.max(min, Math.round(value)));

function overlap(a: GridArea, b: GridArea): boolean {
  return a.x < b.x + b.w && b.x < a.x + a.w && a.y < b.y + b.h && b.y < a.y + a.h;
}

/** The nearest area within the grid. The size takes precedence over the position. */
function clamped({ x, y, w, h }: GridArea): GridArea {
  const width = clamp(1, w, GRID_COLUMNS);
  return {
    w: width,
    h: clamp(1, h, MAX_HEIGHT),
    x: clamp(0, x, GRID_COLUMNS - width),
    y: clamp(0, y, MAX_ROWS),
  };
}

/** Moves one widget. Widgets that it overlaps move down; all others stay. */
export function withArea(widgets: readonly Widget[], id: string, area: GridArea): Widget[] {
  const first = widgets.find((widget) => widget.id === id);
  if (!first) return [...widgets];
  const placed: Widget[] = [{ ...first, ...clamped(area) }];
  const others = widgets
    .filter((widget) => widget.id !== id)
    .toSorted((a, b) => a.y - b.y || a.x - b.x);
  for (const other of others) {
    let moved = other;
    for (;;) {
      const obstacle = placed.find((each) => overlap(each, moved));
      if (!obstacle) break;
      moved = { ...moved, y: obstacle.y + obstacle.h };
    }
    placed.push(moved);
  }
  const byId = new Map(placed.map((widget) => [widget.id, widget]));
  return widgets.map((widget) => byId.get(widget.id) ?? widget);
}

const MOVES: Readonly<Record<string, readonly [number, number]>> = {
  ArrowLeft: [-1, 0],
  ArrowRight: [1, 0],
  ArrowUp: [0, -1],
  ArrowDown: [0, 1],
};

/** The area after an arrow key: moved by one cell, or with Shift resized by one. */
export function areaByKey(area: GridArea, key: string, isShifted: boolean): GridArea | null {
  const [dx, dy] = MOVES[key] ?? [0, 0];
  if (dx === 0 && dy === 0) return null;
  const { x, y, w, h } = area;
  if (!isShifted) return clamped({ x: x + dx, y: y + dy, w, h });
  return clamped({ x, y, w: Math.min(w + dx, GRID_COLUMNS - x), h: h + dy });
}
