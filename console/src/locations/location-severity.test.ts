import { describe, expect, it } from 'vitest';
import type { Location } from '../service/index.ts';
import { eventsAt, inTreeOrder, severityByLocation, withDescendants } from './location-severity.ts';

const location = (id: string, parentId: string | null = null): Location => ({
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

describe('the severity of a Location', () => {
  const locations = [location('plant'), location('hall', 'plant'), location('office')];

  it('is the highest of its Devices, its Assets and its child Locations', () => {
    const events = [
      { severity: 'HIGH', locationId: 'hall', assetIds: [] },
      { severity: 'LOW', locationId: 'plant', assetIds: ['printer'] },
    ] as const;
    const assets = [{ id: 'printer', locationId: 'office' }];
    expect([...severityByLocation(locations, assets, events)]).toEqual([
      ['hall', 'HIGH'],
      ['plant', 'HIGH'],
      ['office', 'LOW'],
    ]);
  });

  it('is unset without active alarms, also with an alarm on an Asset without a Location', () => {
    const events = [{ severity: 'HIGH', locationId: null, assetIds: ['van', 'gone'] }] as const;
    expect(severityByLocation(locations, [{ id: 'van', locationId: null }], events).size).toBe(0);
  });
});

describe('the alarms at a Location', () => {
  const locations = [location('plant'), location('hall', 'plant'), location('office')];
  const assets = [{ id: 'printer', locationId: 'office' }];
  const inHall = { locationId: 'hall', assetIds: [] };
  const ofPrinter = { locationId: null, assetIds: ['printer'] };

  it('are those of its Devices, its Assets and its child Locations', () => {
    const events = [inHall, ofPrinter];
    expect(eventsAt('plant', locations, assets, events)).toEqual([inHall]);
    expect(eventsAt('hall', locations, assets, events)).toEqual([inHall]);
    expect(eventsAt('office', locations, assets, events)).toEqual([ofPrinter]);
  });

  it('are searched for at the Location and all below it', () => {
    const deep = [...locations, location('corner', 'hall')];
    expect(withDescendants('plant', deep)).toEqual(['plant', 'hall', 'corner']);
    expect(withDescendants('office', deep)).toEqual(['office']);
  });
});

describe('the Location tree', () => {
  it('has each Location below its parent, in natural order of names', () => {
    const order = inTreeOrder([
      location('b2', 'b'),
      location('b10', 'b'),
      location('b'),
      location('a'),
    ]);
    expect(order.map(({ location, depth }) => [location.id, depth])).toEqual([
      ['a', 0],
      ['b', 0],
      ['b2', 1],
      ['b10', 1],
    ]);
  });

  it('has a Location whose parent is not in the list at the top level', () => {
    expect(inTreeOrder([location('hall', 'elsewhere')])).toMatchObject([{ depth: 0 }]);
  });
});
