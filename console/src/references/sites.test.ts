import { expect, it } from 'vitest';
import { sitesOf } from './sites.ts';

const location = (id: string, parentId: string | null) => ({ id, name: `The ${id}`, parentId });

it('the site of a Location is the topmost one that is known above it', () => {
  const sites = sitesOf([
    location('room', 'hall'),
    location('hall', 'plant'),
    location('plant', null),
    location('orphan', 'unknown'),
  ]);
  const plant = { id: 'plant', name: 'The plant' };
  expect([sites.get('room'), sites.get('hall'), sites.get('plant')]).toEqual([plant, plant, plant]);
  expect(sites.get('orphan')).toEqual({ id: 'orphan', name: 'The orphan' });
});
