import { describe, expect, it } from 'vitest';
import { distinctNames, searchOf, variableLabel } from './variable-names.ts';

const devices = new Map([
  ['a', 'Tank A'],
  ['b', 'Tank B'],
]);
const variable = (id: string, deviceId: string, name: string) => ({
  id,
  deviceId,
  name,
  topicPropertyPath: `path.${id}`,
});
const namesOf = (
  variables: ReturnType<typeof variable>[],
  isDeviceNamed = false,
  names = devices,
) => distinctNames(variables, names, isDeviceNamed).map(({ name }) => name);

describe('the names of Variables on one chart', () => {
  it('include the Device when the Variables are of several Devices', () => {
    const variables = [variable('1', 'a', 'Fuel level'), variable('2', 'b', 'Fuel level')];
    expect(namesOf(variables)).toEqual(['Tank A · Fuel level', 'Tank B · Fuel level']);
    const others = [variable('1', 'a', 'Fuel level'), variable('2', 'b', 'Engine speed')];
    expect(namesOf(others)).toEqual(['Tank A · Fuel level', 'Tank B · Engine speed']);
  });

  it('are their own on the page of one Device, and include it elsewhere', () => {
    const variables = [variable('1', 'a', 'Fuel level'), variable('2', 'a', 'Engine speed')];
    expect(namesOf(variables)).toEqual(['Fuel level', 'Engine speed']);
    expect(namesOf(variables.slice(0, 1), true)).toEqual(['Tank A · Fuel level']);
  });

  it('include the path when two Variables of one Device share a name', () => {
    const variables = [variable('1', 'a', 'Fuel level'), variable('2', 'a', 'Fuel level')];
    expect(namesOf(variables)).toEqual(['Fuel level (path.1)', 'Fuel level (path.2)']);
  });

  it('are their own until the Devices are loaded', () => {
    const variables = [variable('1', 'a', 'Fuel level'), variable('2', 'b', 'Fuel level')];
    expect(namesOf(variables, true, new Map())).toEqual(['Fuel level', 'Fuel level']);
  });
});

it('a label that is typed over is a search for words of both names', () => {
  expect(searchOf(` ${variableLabel('Tank A', 'Fuel')}`).split(/\s+/)).toEqual([
    'Tank',
    'A',
    'Fuel',
  ]);
});
