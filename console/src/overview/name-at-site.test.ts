import { expect, it } from 'vitest';
import { nameAtSite } from './name-at-site.ts';

it.each([
  ['North plant: Generator', 'North plant', 'Generator'],
  ['North plant, feeder 2', 'North plant', 'feeder 2'],
  ['North plant 2: Generator', 'North plant', 'North plant 2: Generator'],
  ['North plant', 'North plant', 'North plant'],
  ['North plant: ', 'North plant', 'North plant: '],
  ['Generator', 'North plant', 'Generator'],
  ['Generator', null, 'Generator'],
])('the Device %j is shown at the site %j as %j', (device, site, shown) => {
  expect(nameAtSite(device, site)).toBe(shown);
});
