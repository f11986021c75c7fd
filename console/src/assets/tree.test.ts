import { describe, expect, it } from 'vitest';
import type { Asset } from '../service/index.ts';
import { belowOf, treeOf, visible } from './tree.ts';

const asset = (id: string, parentId: string | null = null) =>
  ({ id, name: id, parentId, variables: [] }) as Partial<Asset> as Asset;

const namesOf = (assets: readonly Asset[], closed: readonly string[] = []) =>
  visible(treeOf(assets), new Set(closed)).map(({ asset: { name }, depth }) => `${depth} ${name}`);

describe('the Asset tree', () => {
  it('has each Asset below its parent, and siblings in the order given', () => {
    const all = [asset('Fan', 'G 10'), asset('G 2'), asset('G 10'), asset('Blade', 'Fan')];
    expect(namesOf(all)).toEqual(['0 G 2', '0 G 10', '1 Fan', '2 Blade']);
  });

  it('has an Asset whose parent is not in the list at the top level', () => {
    expect(namesOf([asset('Fan', 'somewhere')])).toEqual(['0 Fan']);
  });

  it('has all Assets below one, at any depth', () => {
    const all = [asset('G'), asset('Fan', 'G'), asset('Blade', 'Fan'), asset('Tank')];
    expect(treeOf(all).map((branch) => belowOf(branch).map(({ id }) => id))).toEqual([
      ['Fan', 'Blade'],
      [],
    ]);
  });

  it('hides the children of a collapsed Asset', () => {
    expect(namesOf([asset('G'), asset('Fan', 'G'), asset('Blade', 'Fan')], ['G'])).toEqual(['0 G']);
  });
});
