import { describe, expect, it } from 'vitest';
import { deviceSearch, isFiltered, parseDeviceFilters } from './filters.ts';

const NOW_MS = 1_000_000_000;
const searchOf = (raw: object) => deviceSearch(parseDeviceFilters({ ...raw }), NOW_MS);

describe('the filters of the list of Devices', () => {
  it('without any list the Devices in use by name', () => {
    const plain = { archivedScope: 'active', sortBy: 'NAME', sortDirection: 'ASCENDING' };
    expect(searchOf({})).toEqual(plain);
    expect(searchOf({ state: 'away', sort: 'SIZE', page: 0 })).toEqual(plain);
    expect(isFiltered(parseDeviceFilters({ sort: '-NAME', page: 2 }))).toBe(false);
  });

  it('find silent Devices, the longest silent first unless another order is chosen', () => {
    const silent = { states: ['OFFLINE', 'NEVER_SEEN'] };
    expect(searchOf({ state: 'silent' })).toMatchObject({ ...silent, sortBy: 'LAST_SEEN' });
    expect(searchOf({ state: 'silent', sort: '-NAME' })).toMatchObject({
      ...silent,
      sortBy: 'NAME',
      sortDirection: 'DESCENDING',
    });
    expect(isFiltered(parseDeviceFilters({ state: 'silent' }))).toBe(true);
  });

  it('compare the time last seen with now', () => {
    expect(searchOf({ seen: 'over-hour' })).toMatchObject({ lastSeenBefore: NOW_MS - 3_600_000 });
    expect(searchOf({ seen: 'within-hour' })).toMatchObject({ lastSeenAfter: NOW_MS - 3_600_000 });
  });

  it('find those never seen among all or the silent, and none among the online', () => {
    expect(searchOf({ seen: 'never' })).toMatchObject({ states: ['NEVER_SEEN'] });
    expect(searchOf({ seen: 'never', state: 'silent' })).toMatchObject({ states: ['NEVER_SEEN'] });
    expect(searchOf({ seen: 'never', state: 'online' })).toBeNull();
  });
});
