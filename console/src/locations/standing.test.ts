import { describe, expect, it } from 'vitest';
import type { Location } from '../service/index.ts';
import { inTreeOrder, worstByLocation } from './standing.ts';

const place = (id: string, parentId: string | null = null): Location => ({
  id,
  name: id,
  parentId,
  description: null,
  address: null,
  latitude: null,
  longitude: null,
  timeZone: null,
  createdDateTime: '2026-01-01T00:00:00.000Z',
  updatedDateTime: '2026-01-01T00:00:00.000Z',
});

describe('the worst at a Location', () => {
  const places = [place('plant'), place('hall', 'plant'), place('office')];

  it('is that of its Devices, of its Assets, and of the places within it', () => {
    const events = [
      { severity: 'HIGH', locationId: 'hall', assetIds: [] },
      { severity: 'LOW', locationId: 'plant', assetIds: ['printer'] },
    ] as const;
    const assets = [{ id: 'printer', locationId: 'office' }];
    expect([...worstByLocation(places, assets, events)]).toEqual([
      ['hall', 'HIGH'],
      ['plant', 'HIGH'],
      ['office', 'LOW'],
    ]);
  });

  it('is nothing where nothing is open, and an Asset without a place troubles none', () => {
    const events = [{ severity: 'HIGH', locationId: null, assetIds: ['van', 'gone'] }] as const;
    expect(worstByLocation(places, [{ id: 'van', locationId: null }], events).size).toBe(0);
  });
});

describe('the tree', () => {
  it('has each place below the one that it is part of, by name', () => {
    const order = inTreeOrder([place('b2', 'b'), place('b10', 'b'), place('b'), place('a')]);
    expect(order.map(({ location, depth }) => [location.id, depth])).toEqual([
      ['a', 0],
      ['b', 0],
      ['b2', 1],
      ['b10', 1],
    ]);
  });

  it('has a place whose parent is not among them at the top', () => {
    expect(inTreeOrder([place('hall', 'elsewhere')])).toMatchObject([{ depth: 0 }]);
  });
});
