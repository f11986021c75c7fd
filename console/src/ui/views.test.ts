import { describe, expect, it } from 'vitest';
import {
  parseViews,
  renamedView,
  searchText,
  withDefault,
  withoutView,
  withView,
} from './views.ts';

const silent = { name: 'Silent', search: { states: ['OFFLINE'] }, isDefault: false };
const north = { name: 'North', search: { search: 'north' }, isDefault: true };

describe('saved views', () => {
  it('are read from storage, without anything that is not a view', () => {
    expect(parseViews(JSON.stringify([silent, { name: 'x' }, 7, null]))).toEqual([silent]);
    for (const damaged of [null, '', '{', '{}', '3']) expect(parseViews(damaged)).toEqual([]);
  });

  it('are added by name, and a view of the same name is replaced', () => {
    const views = withView([silent], north);
    expect(views.map(({ name }) => name)).toEqual(['North', 'Silent']);
    expect(withView(views, { ...silent, search: {} })).toHaveLength(2);
  });

  it('are renamed and removed', () => {
    const views = renamedView([north, silent], 'Silent', 'Away');
    expect(views.map(({ name }) => name)).toEqual(['Away', 'North']);
    expect(withoutView(views, 'North').map(({ name }) => name)).toEqual(['Away']);
    expect(renamedView([north], 'Unknown', 'Away')).toEqual([north]);
  });

  it('have at most one default', () => {
    const views = withDefault([north, silent], 'Silent');
    expect(views.filter(({ isDefault }) => isDefault).map(({ name }) => name)).toEqual(['Silent']);
    expect(withDefault(views, null).some(({ isDefault }) => isDefault)).toBe(false);
  });

  it('equal each other whatever the order of their filters and the page', () => {
    expect(searchText({ a: 1, b: [2], page: 3 })).toBe(searchText({ b: [2], a: 1, c: undefined }));
    expect(searchText({ a: 1 })).not.toBe(searchText({ a: 2 }));
  });
});
