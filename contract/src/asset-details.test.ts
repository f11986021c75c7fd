import { describe, expect, it } from 'vitest';
import { classificationDetailsErrors, runningHoursVariableIds } from './asset-details.ts';

const ID = '018f0000-0000-7000-8000-00000000dead';

const generator = (details: unknown) =>
  classificationDetailsErrors('ELECTRICAL_GENERATOR', details).map(
    ({ path, message }) => `${path} ${message}`,
  );

const d = (key: string) => `classificationDetails.${key}`;

describe('the settings of a generator', () => {
  it('may be absent, empty, or hold keys that nobody knows', () => {
    for (const details of [undefined, null, {}, { colour: 'red', nested: { ratedKw: 'many' } }]) {
      expect(generator(details)).toEqual([]);
    }
  });

  it.each(['make', 'model', 'serialNumber', 'fuelType'])('have %s as text', (key) => {
    for (const value of ['x', '😀'.repeat(99), '😀'.repeat(100)]) {
      expect(generator({ [key]: value })).toEqual([]);
    }
    expect(generator({ [key]: '' })).toEqual([`${d(key)} must have at least 1 character`]);
    expect(generator({ [key]: '😀'.repeat(101) })).toEqual([
      `${d(key)} must have at most 100 characters`,
    ]);
    for (const value of [null, 5, [], {}]) {
      expect(generator({ [key]: value })).toEqual([`${d(key)} must be a string`]);
    }
  });

  it.each(['ratedKw', 'ratedKva', 'ratedVolts', 'ratedAmps', 'ratedHz'])(
    'have %s as a number',
    (key) => {
      for (const value of [0, 0.5, 1e300]) expect(generator({ [key]: value })).toEqual([]);
      expect(generator({ [key]: -0.001 })).toEqual([`${d(key)} must be at least 0`]);
      for (const value of [null, '5', true]) {
        expect(generator({ [key]: value })).toEqual([`${d(key)} must be a number`]);
      }
    },
  );

  it('have at most 50 Variables that count running hours', () => {
    const ids = (count: number) => ({ runningHoursVariableIds: Array(count).fill(ID) });
    for (const count of [0, 1, 49, 50]) expect(generator(ids(count))).toEqual([]);
    const path = d('runningHoursVariableIds');
    expect(generator(ids(51))).toEqual([`${path} must have at most 50 values`]);
    expect(generator({ runningHoursVariableIds: ID })).toEqual([`${path} must be an array`]);
    expect(generator({ runningHoursVariableIds: [ID, 'x', ID, 5] })).toEqual([
      `${path}[1] must be a UUID`,
      `${path}[3] must be a UUID`,
    ]);
    expect(runningHoursVariableIds('ELECTRICAL_GENERATOR', ids(2))).toEqual([ID, ID]);
    expect(runningHoursVariableIds('ELECTRICAL_GENERATOR', null)).toEqual([]);
  });

  it('with several faults are refused with all of them', () => {
    expect(generator({ make: 1, ratedHz: 'x', runningHoursVariableIds: 2 })).toHaveLength(3);
  });

  it('mean nothing to an Asset that is no generator', () => {
    const details = { make: 5, runningHoursVariableIds: 'x' };
    expect(classificationDetailsErrors('GENERIC', details)).toEqual([]);
    expect(classificationDetailsErrors(undefined, details)).toEqual([]);
    expect(runningHoursVariableIds('GENERIC', { runningHoursVariableIds: [ID] })).toEqual([]);
  });
});

describe('settings of any Asset', () => {
  const sized = (bytes: number, filler: string) => {
    const fixed = '{"x":""}'.length;
    const size = Buffer.byteLength(filler);
    const fillers = Math.floor((bytes - fixed) / size);
    return { x: filler.repeat(fillers) + 'x'.repeat(bytes - fixed - fillers * size) };
  };

  it.each(['x', 'é', '€', '😀'])('are at most 16 KiB as JSON in UTF-8, also of %s', (filler) => {
    for (const [bytes, errors] of [
      [16_383, 0],
      [16_384, 0],
      [16_385, 1],
    ] as const) {
      const details = sized(bytes, filler);
      expect(Buffer.byteLength(JSON.stringify(details))).toBe(bytes);
      expect(classificationDetailsErrors('GENERIC', details)).toHaveLength(errors);
    }
  });

  it('hold no number that would come back as null', () => {
    expect(
      classificationDetailsErrors('GENERIC', { a: [{ b: 1 }, { b: Number.POSITIVE_INFINITY }] }),
    ).toEqual([
      {
        path: 'classificationDetails.a[1].b',
        message: 'must be a number within the range of doubles',
      },
    ]);
  });

  it('do no harm when they nest too deep', () => {
    const deep = JSON.parse(`${'{"a":'.repeat(100_000)}1${'}'.repeat(100_000)}`);
    expect(() => classificationDetailsErrors('GENERIC', deep)).not.toThrow();
  });
});
