import { describe, expect, it } from 'vitest';
import { loadVariables, lowestTank, powerSourceOf, sumOf } from './supply.ts';

type Value = number | boolean;

/** Variables with their values, named by the end of their classification. */
function siteWith(...given: readonly (readonly [string, Value | null, string?])[]) {
  const variables = given.map(([suffix, , unit = 'kW'], index) => ({
    id: `${suffix} ${index}`,
    classificationType: `ELECTRICAL_${suffix}`,
    unit,
  }));
  const values = new Map(
    given.flatMap(([suffix, value], index) =>
      value === null ? [] : [[`${suffix} ${index}`, { timestamp: index, value }] as const],
    ),
  );
  return [variables, values] as const;
}

describe('the power source of a site', () => {
  it.each([
    [true, false, 'UTILITY'],
    [false, true, 'GENERATOR'],
    [true, true, 'BOTH'],
    [false, false, 'NONE'],
    [true, null, 'UTILITY'],
    [false, null, 'OFF_UTILITY'],
    [null, true, 'GENERATOR'],
    [null, false, null],
  ])(
    'with the normal position %s and the emergency position %s is %s',
    (normal, emergency, source) => {
      const site = siteWith(['ATS_NORMAL_POSITION', normal], ['ATS_EMERGENCY_POSITION', emergency]);
      expect(powerSourceOf(...site)).toBe(source);
    },
  );

  it('is both where one switch is on the utility and another on the generator', () => {
    const site = siteWith(
      ['ATS_NORMAL_POSITION', true],
      ['ATS_NORMAL_POSITION', false],
      ['ATS_EMERGENCY_POSITION', false],
      ['ATS_EMERGENCY_POSITION', true],
    );
    expect(powerSourceOf(...site)).toBe('BOTH');
  });

  it('without a switch is what supplies the load', () => {
    expect(powerSourceOf(...siteWith(['GENERATOR_SUPPLYING_LOAD', true]))).toBe('GENERATOR');
    expect(powerSourceOf(...siteWith(['GENERATOR_SUPPLYING_LOAD', false]))).toBeNull();
    const neither = siteWith(
      ['UTILITY_SUPPLYING_LOAD', false],
      ['GENERATOR_SUPPLYING_LOAD', false],
    );
    expect(powerSourceOf(...neither)).toBe('NONE');
  });

  it('is unknown while the utility is available and the generator runs', () => {
    const running = (isAvailable: boolean, isRunning: boolean) =>
      powerSourceOf(
        ...siteWith(['UTILITY_AVAILABLE', isAvailable], ['GENERATOR_RUNNING', isRunning]),
      );
    expect(running(true, false)).toBe('UTILITY');
    expect(running(false, true)).toBe('GENERATOR');
    expect(running(true, true)).toBeNull();
    expect(running(false, false)).toBeNull();
  });
});

describe('the load of a site', () => {
  const loadOf = ([variables, values]: ReturnType<typeof siteWith>) =>
    sumOf(loadVariables(variables), values)?.value ?? null;

  it('is the sum of transfer switches before that of sources and of feeders', () => {
    const feeders = [
      ['FEEDER_KW', 5],
      ['FEEDER_KW', 6],
    ] as const;
    expect(loadOf(siteWith(...feeders))).toBe(11);
    expect(loadOf(siteWith(...feeders, ['UTILITY_KW', 20], ['GENERATOR_KW', 0]))).toBe(20);
    expect(loadOf(siteWith(...feeders, ['UTILITY_KW', 20], ['ATS_KW', 18]))).toBe(18);
  });

  it('is unknown while a part of it has no value or another unit', () => {
    expect(loadOf(siteWith(['FEEDER_KW', 5], ['FEEDER_KW', null]))).toBeNull();
    expect(loadOf(siteWith(['FEEDER_KW', 5], ['FEEDER_KW', 6, 'W']))).toBeNull();
    expect(loadOf(siteWith(['FEEDER_KW', true]))).toBeNull();
    expect(loadOf(siteWith())).toBeNull();
  });
});

describe('the fuel of a site', () => {
  it('is that of its emptiest tank', () => {
    const site = siteWith(
      ['GENERATOR_FUEL_LEVEL', 60, '%'],
      ['GENERATOR_FUEL_LEVEL', 24, '%'],
      ['GENERATOR_FUEL_LEVEL', null, '%'],
    );
    expect(lowestTank(...site)).toEqual({
      variableId: 'GENERATOR_FUEL_LEVEL 1',
      value: 24,
      unit: '%',
      atMs: 1,
    });
    expect(lowestTank(...siteWith())).toBeNull();
  });
});
