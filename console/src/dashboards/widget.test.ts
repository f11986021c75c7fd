import { describe, expect, it } from 'vitest';
import {
  inReadingOrder,
  settingsOf,
  type Widget,
  withChange,
  withCopy,
  withNew,
} from './widget.ts';

const widget = (settings: Partial<Widget> = {}): Widget => ({
  id: 'a',
  type: 'VALUE',
  x: 0,
  y: 0,
  w: 3,
  h: 2,
  ...settings,
});

describe('the settings of a widget', () => {
  it('fall back to defaults where their type is wrong', () => {
    const odd = widget({ variableId: 5, variableIds: ['v', 5, null], rangeSeconds: 'x', min: '0' });
    expect(settingsOf(odd)).toMatchObject({
      variableId: null,
      variableIds: ['v'],
      rangeMs: undefined,
      min: undefined,
      centre: null,
    });
  });
});

describe('a draft', () => {
  it('adds a new widget below all others with a new id', () => {
    const made = withNew([widget({ id: 'w2', y: 4, h: 3 })], 'CHART').at(-1);
    expect(made).toMatchObject({ id: 'w3', type: 'CHART', x: 0, y: 7 });
    expect(withNew([], 'TEXT').at(-1)).toMatchObject({ id: 'w1', y: 0 });
  });

  it('copies a widget with its settings and a new id', () => {
    const [, copy] = withCopy([widget({ title: 'Power' })], widget({ title: 'Power' }));
    expect(copy).toMatchObject({ title: 'Power', y: 2 });
    expect(copy?.id).not.toBe('a');
  });

  it('changes one widget and removes cleared settings', () => {
    const all = [widget({ title: 'Old', decimals: 2 }), widget({ id: 'b' })];
    const [first, second] = withChange(all, 'a', { title: '', decimals: undefined });
    expect(first).toEqual(widget());
    expect(second).toBe(all[1]);
  });

  it('is read row by row', () => {
    const all = [widget({ id: 'c', y: 2 }), widget({ id: 'b', x: 4 }), widget({ id: 'a' })];
    expect(inReadingOrder(all).map(({ id }) => id)).toEqual(['a', 'b', 'c']);
  });
});
