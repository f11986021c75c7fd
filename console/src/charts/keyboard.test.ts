import { describe, expect, it } from 'vitest';
import { chartAction } from './keyboard.ts';

const range = { startMs: 10_000, endMs: 20_000 };
const press = (key: string, more: object = {}, cursorMs: number | null = 15_000) =>
  chartAction(
    { key, shiftKey: false, ctrlKey: false, altKey: false, metaKey: false, ...more },
    { range, cursorMs, nowMs: 21_000 },
  );

describe('a key on a chart', () => {
  it.each([
    ['ArrowRight', {}, 15_100],
    ['ArrowLeft', { ctrlKey: true }, 14_000],
    ['Home', {}, 10_000],
    ['End', {}, 20_000],
  ])('%s with %j moves the crosshair to %i', (key, more, ms) => {
    expect(press(key, more)).toEqual({ kind: 'move', ms });
  });

  it('begins at the near edge, and keeps the crosshair in the range', () => {
    expect(press('ArrowRight', {}, null)).toEqual({ kind: 'move', ms: 10_100 });
    expect(press('ArrowLeft', {}, null)).toEqual({ kind: 'move', ms: 19_900 });
    expect(press('ArrowRight', {}, 20_000)).toEqual({ kind: 'move', ms: 20_000 });
  });

  it('pans with Shift, not into the future', () => {
    expect(press('ArrowLeft', { shiftKey: true })).toEqual({
      kind: 'show',
      range: { startMs: 7_500, endMs: 17_500 },
    });
    expect(press('ArrowRight', { shiftKey: true })).toEqual({
      kind: 'show',
      range: { startMs: 11_000, endMs: 21_000 },
    });
  });

  it('zooms around the crosshair', () => {
    expect(press('+', {}, 12_000)).toEqual({
      kind: 'show',
      range: { startMs: 11_000, endMs: 16_000 },
    });
    expect(press('-', {}, null)).toEqual({
      kind: 'show',
      range: { startMs: 1_000, endMs: 21_000 },
    });
  });

  it('leaves the chart with Escape, then resets the zoom', () => {
    expect(press('Escape')).toEqual({ kind: 'leave' });
    expect(press('Escape', {}, null)).toEqual({ kind: 'reset' });
  });

  it.each([
    ['a', {}],
    ['ArrowLeft', { altKey: true }],
    ['+', { metaKey: true }],
  ])('%s with %j is left to the browser', (key, more) => {
    expect(press(key, more)).toBeNull();
  });
});
