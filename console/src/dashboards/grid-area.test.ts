import { describe, expect, it } from 'vitest';
import { areaByKey, withArea } from './grid-area.ts';
import { type Widget, withChange } from './widget.ts';

const widget = (id: string, x: number, y: number, w: number, h: number): Widget => ({
  id,
  type: 'TEXT',
  x,
  y,
  w,
  h,
});

const placesOf = (widgets: readonly Widget[]) =>
  Object.fromEntries(widgets.map(({ id, x, y, w, h }) => [id, [x, y, w, h]]));

describe('withArea', () => {
  const board = [widget('a', 0, 0, 4, 2), widget('b', 4, 0, 4, 2), widget('c', 0, 2, 12, 1)];

  it('moves overlapped widgets down, and those below them', () => {
    const next = withArea(board, 'a', { x: 3, y: 0, w: 4, h: 2 });
    expect(placesOf(next)).toEqual({ a: [3, 0, 4, 2], b: [4, 2, 4, 2], c: [0, 4, 12, 1] });
  });

  it('leaves other widgets in place where there is room', () => {
    const next = withArea(board, 'a', { x: 8, y: 0, w: 4, h: 2 });
    expect(placesOf(next)).toEqual({ a: [8, 0, 4, 2], b: [4, 0, 4, 2], c: [0, 2, 12, 1] });
  });

  it('keeps the widget within the grid', () => {
    expect(placesOf(withArea(board, 'b', { x: 11, y: -3, w: 40, h: 0 })).b).toEqual([0, 0, 12, 1]);
    expect(placesOf(withArea(board, 'b', { x: 10, y: 0, w: 3, h: 101 })).b).toEqual([9, 0, 3, 100]);
  });

  it('keeps the order of the widgets', () => {
    expect(withArea(board, 'c', { x: 0, y: 0, w: 12, h: 1 }).map(({ id }) => id)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });
});

describe('arrow keys', () => {
  const area = { x: 8, y: 1, w: 4, h: 2 };

  it('move a widget by one cell, and not beyond the edge', () => {
    expect(areaByKey(area, 'ArrowLeft', false)).toEqual({ ...area, x: 7 });
    expect(areaByKey(area, 'ArrowRight', false)).toEqual(area);
    expect(areaByKey({ ...area, y: 0 }, 'ArrowUp', false)).toEqual({ ...area, y: 0 });
  });

  it('with Shift resize a widget, within the edge and to at least one cell', () => {
    expect(areaByKey(area, 'ArrowLeft', true)).toEqual({ ...area, w: 3 });
    expect(areaByKey(area, 'ArrowRight', true)).toEqual(area);
    expect(areaByKey({ ...area, h: 1 }, 'ArrowUp', true)).toEqual({ ...area, h: 1 });
    expect(areaByKey(area, 'ArrowDown', true)).toEqual({ ...area, h: 3 });
  });

  it('are the only keys that move or resize', () => {
    expect(areaByKey(area, 'Enter', false)).toBeNull();
  });
});

describe('withChange', () => {
  it('removes cleared settings and keeps unknown ones', () => {
    const strange = { ...widget('a', 0, 0, 1, 1), type: 'RADAR', title: 'Old', beam: null };
    expect(withChange([strange], 'a', { title: '' })).toEqual([
      { id: 'a', type: 'RADAR', x: 0, y: 0, w: 1, h: 1, beam: null },
    ]);
  });
});
