import { expect, it } from 'vitest';
import { filterOf, interestOf } from './filter.ts';

const NOTHING = { variableIds: [], deviceIds: [], assetIds: [] };
const pump = { id: 'pump rpm', deviceId: 'pump' };
const feeder = { id: 'feeder amps', deviceId: 'feeder' };
const other = { id: 'feeder volts', deviceId: 'feeder' };

it('a Variable is of interest when any stream selects it, and otherwise not', () => {
  const byDevice = filterOf({ ...NOTHING, deviceIds: ['pump'] }, [], []);
  const byVariable = filterOf({ ...NOTHING, variableIds: [feeder.id] }, [feeder], []);
  const seen = (filters: Parameters<typeof interestOf>[0]) => {
    const interest = interestOf(filters);
    return [pump, feeder, other, pump].map((variable) => interest.has(variable));
  };
  expect(seen([])).toEqual([false, false, false, false]);
  expect(seen([byDevice])).toEqual([true, false, false, true]);
  expect(seen([byVariable])).toEqual([false, true, false, false]);
  expect(seen([byDevice, byVariable])).toEqual([true, true, false, true]);
  expect(seen([byVariable, filterOf(NOTHING, [], [])])).toEqual([true, true, true, true]);
});
