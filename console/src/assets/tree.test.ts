import { describe, expect, it } from 'vitest';
import type { Asset } from '../service/index.ts';
import { treeOf, visible } from './tree.ts';

const asset = (id: string, parentId: string | null = null) =>
  ({ id, name: id, parentId, variables: [] }) as Partial<Asset> as Asset;

const namesOf = (assets: readonly Asset[], closed: readonly string[] = []) =>
  visible(treeOf(assets), new Set(closed)).map(({ asset: { name }, depth }) => `${depth} ${name}`);

describe('the tree of Assets', () => {
  it('has each below what it is part of, by name, with numbers as numbers', () => {
    const all = [asset('Fan', 'G 10'), asset('G 10'), asset('G 2'), asset('Blade', 'Fan')];
    expect(namesOf(all)).toEqual(['0 G 2', '0 G 10', '1 Fan', '2 Blade']);
  });

  it('shows one at the top whose parent is not among those found', () => {
    expect(namesOf([asset('Fan', 'somewhere')])).toEqual(['0 Fan']);
  });

  it('hides what a closed one holds', () => {
    expect(namesOf([asset('G'), asset('Fan', 'G'), asset('Blade', 'Fan')], ['G'])).toEqual(['0 G']);
  });
});
