import { MAX_READINGS_IDS, type Site } from '@fieldwatch/contract';
import { describe, expect, it } from 'vitest';
import { batchesOfSites, sumOfCourses } from './trends.ts';

function siteWith(name: string, feeders: number): Site {
  const variables = Array.from({ length: feeders }, (_, index) => ({
    id: `${name} ${index}`,
    classificationType: 'ELECTRICAL_FEEDER_KW',
    unit: 'kW',
  }));
  return {
    id: name,
    name,
    state: 'NORMAL',
    deviceCount: 1,
    onlineDeviceCount: 1,
    silentDeviceCount: 0,
    silentDevice: null,
    silentSinceDateTime: null,
    alarmCount: 0,
    worstAlarm: null,
    variables,
  };
}

describe('batches of sites', () => {
  const sizesOf = (sites: readonly Site[]) => batchesOfSites(sites).map(({ length }) => length);

  it('have at most as many Variables as one request takes', () => {
    const half = MAX_READINGS_IDS / 2;
    expect(sizesOf([siteWith('a', half), siteWith('b', half - 1)])).toEqual([2]);
    expect(sizesOf([siteWith('a', half), siteWith('b', half)])).toEqual([2]);
    expect(sizesOf([siteWith('a', half), siteWith('b', half + 1)])).toEqual([1, 1]);
  });

  it('keep the order of sites, those without Variables too', () => {
    const sites = [siteWith('a', 0), siteWith('b', MAX_READINGS_IDS), siteWith('c', 0)];
    expect(batchesOfSites(sites).flat()).toEqual(sites);
    expect(sizesOf([])).toEqual([]);
  });
});

describe('the sum of courses', () => {
  const course = (...points: readonly (readonly [number, number])[]) => ({
    timestamp: points.map(([at]) => at),
    mean: points.map(([, mean]) => mean),
  });

  it('has the times at which all of them have a value', () => {
    expect(sumOfCourses([course([1, 10], [2, 20], [3, 30]), course([2, 1], [3, 2])])).toEqual(
      course([2, 21], [3, 32]),
    );
  });

  it('of one course is that course, and is empty while another has none', () => {
    const one = course([1, 10]);
    expect(sumOfCourses([one])).toBe(one);
    expect(sumOfCourses([one, undefined])).toEqual(course());
    expect(sumOfCourses([undefined, one])).toBeUndefined();
    expect(sumOfCourses([])).toBeUndefined();
  });
});
