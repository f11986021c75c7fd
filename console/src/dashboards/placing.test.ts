import { describe, expect, it } from 'vitest';
import { placeByKey, withPlace } from './placing.ts';
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

describe('placing a widget', () => {
  const board = [widget('a', 0, 0, 4, 2), widget('b', 4, 0, 4, 2), widget('c', 0, 2, 12, 1)];

  it('moves what lies there down, and that what lies below it', () => {
    const next = withPlace(board, 'a', { x: 3, y: 0, w: 4, h: 2 });
    expect(placesOf(next)).toEqual({ a: [3, 0, 4, 2], b: [4, 2, 4, 2], c: [0, 4, 12, 1] });
  });

  it('leaves the others alone where there is room', () => {
    const next = withPlace(board, 'a', { x: 8, y: 0, w: 4, h: 2 });
    expect(placesOf(next)).toEqual({ a: [8, 0, 4, 2], b: [4, 0, 4, 2], c: [0, 2, 12, 1] });
  });

  it('never leaves the grid', () => {
    expect(placesOf(withPlace(board, 'b', { x: 11, y: -3, w: 40, h: 0 })).b).toEqual([0, 0, 12, 1]);
    expect(placesOf(withPlace(board, 'b', { x: 10, y: 0, w: 3, h: 101 })).b).toEqual([
      9, 0, 3, 100,
    ]);
  });

  it('keeps the order of the widgets, which is the order in which they were made', () => {
    expect(withPlace(board, 'c', { x: 0, y: 0, w: 12, h: 1 }).map(({ id }) => id)).toEqual([
      'a',
      'b',
      'c',
    ]);
  });
});

describe('arrow keys', () => {
  const place = { x: 8, y: 1, w: 4, h: 2 };

  it('move by a cell, and not beyond the edge', () => {
    expect(placeByKey(place, 'ArrowLeft', false)).toEqual({ ...place, x: 7 });
    expect(placeByKey(place, 'ArrowRight', false)).toEqual(place);
    expect(placeByKey({ ...place, y: 0 }, 'ArrowUp', false)).toEqual({ ...place, y: 0 });
  });

  it('resize with shift, and not beyond the edge or to nothing', () => {
    expect(placeByKey(place, 'ArrowLeft', true)).toEqual({ ...place, w: 3 });
    expect(placeByKey(place, 'ArrowRight', true)).toEqual(place);
    expect(placeByKey({ ...place, h: 1 }, 'ArrowUp', true)).toEqual({ ...place, h: 1 });
    expect(placeByKey(place, 'ArrowDown', true)).toEqual({ ...place, h: 3 });
  });

  it('are the only keys that do', () => {
    expect(placeByKey(place, 'Enter', false)).toBeNull();
  });
});

describe('changing a setting', () => {
  it('drops what was cleared and keeps what this console does not know', () => {
    const strange = { ...widget('a', 0, 0, 1, 1), type: 'RADAR', title: 'Old', beam: null };
    expect(withChange([strange], 'a', { title: '' })).toEqual([
      { id: 'a', type: 'RADAR', x: 0, y: 0, w: 1, h: 1, beam: null },
    ]);
  });
});
