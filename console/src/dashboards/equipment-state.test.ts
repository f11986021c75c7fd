import { describe, expect, it } from 'vitest';
import { type EquipmentVariable, equipmentState } from './equipment-state.ts';

const variable = (
  classificationType: string,
  fields: Partial<EquipmentVariable> = {},
): EquipmentVariable => ({
  id: classificationType,
  name: classificationType.split('_').at(-1) ?? '',
  unit: null,
  type: 'BOOLEAN',
  classificationType,
  ...fields,
});
const numbered = (classificationType: string, unit: string) =>
  variable(classificationType, { type: 'NUMBER', unit });

type Values = Record<string, number | boolean | string>;
const stateOf = (
  type: Parameters<typeof equipmentState>[0],
  variables: EquipmentVariable[],
  values: Values,
) =>
  equipmentState(type, variables, {
    valueBy: (id) => values[id],
    textOf: (value, unit) => `${value} ${unit}`,
  });

const RUNNING = 'ELECTRICAL_GENERATOR_RUNNING';
const STATE = 'ELECTRICAL_GENERATOR_ENGINE_STATE';
const FUEL = 'ELECTRICAL_GENERATOR_FUEL_LEVEL';

describe('the state of a generator', () => {
  const generator = [
    variable(RUNNING),
    variable(STATE, { type: 'STRING' }),
    variable('ELECTRICAL_GENERATOR_COMMON_ALARM'),
    numbered(FUEL, '%'),
  ];

  it('is the word of its controller, with the values that it reports', () => {
    const state = stateOf('GENERATOR', generator, {
      [RUNNING]: true,
      [STATE]: 'Cooling down',
      [FUEL]: 63,
    });
    expect(state).toEqual({
      tone: 'good',
      word: 'Cooling down',
      details: ['LEVEL 63 %'],
      level: null,
    });
  });

  it('is a fault whatever the engine does', () => {
    const values = { [RUNNING]: true, ELECTRICAL_GENERATOR_COMMON_ALARM: true };
    expect(stateOf('GENERATOR', generator, values)).toMatchObject({ tone: 'bad', word: 'Fault' });
  });

  it('is unknown without any value', () => {
    expect(stateOf('GENERATOR', generator, {})).toMatchObject({ tone: 'plain', word: 'Unknown' });
  });
});

it.each([
  [{ ELECTRICAL_ATS_EMERGENCY_POSITION: true }, 'high', 'On emergency'],
  [{ ELECTRICAL_ATS_NORMAL_POSITION: true }, 'good', 'On normal'],
  [{ ELECTRICAL_ATS_NORMAL_POSITION: false }, 'plain', 'Unknown'],
])('a transfer switch with %j is %s: %s', (values, tone, word) => {
  const variables = Object.keys(values).map((id) => variable(id));
  expect(stateOf('TRANSFER_SWITCH', variables, values as Values)).toMatchObject({ tone, word });
});

it.each([
  [9.9, 'bad'],
  [10, 'medium'],
  [24.9, 'medium'],
  [25, 'good'],
  [120, 'good'],
])('a tank at %d %% is %s', (value, tone) => {
  const state = stateOf('TANK', [numbered(FUEL, '%')], { [FUEL]: value });
  expect(state).toMatchObject({ tone, level: Math.min(1, value / 100) });
});
