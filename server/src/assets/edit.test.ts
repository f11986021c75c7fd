import { describe, expect, it } from 'vitest';
import { editedAssetFields, newAssetFields, referencesOf } from './edit.ts';

const ID = '018f0000-0000-7000-8000-00000000dead';
const STORED = {
  name: 'Asset',
  description: 'Stored',
  classificationType: 'GENERIC',
  classificationDetails: { ratedKw: 'many', runningHoursVariableIds: [ID] },
  locationId: 'l',
  dashboardId: 'd',
  parentId: 'p',
} as const;
const GENERATOR = { ...STORED, classificationType: 'ELECTRICAL_GENERATOR' } as const;

const running = (fields: Parameters<typeof referencesOf>[0], stored?: typeof fields) =>
  referencesOf(fields, stored)
    .filter(({ table }) => table === 'variables')
    .map(({ path, id }) => `${path} ${id}`);

const path = 'classificationDetails.runningHoursVariableIds[0]';

describe('the fields of an Asset', () => {
  it('are generic and empty where nothing is given for a new one', () => {
    expect(newAssetFields({ name: 'Asset' })).toEqual({
      name: 'Asset',
      description: null,
      classificationType: 'GENERIC',
      classificationDetails: null,
      locationId: null,
      dashboardId: null,
      parentId: null,
    });
    expect(newAssetFields(STORED)).toEqual(STORED);
  });

  it('stay as they are where an edit leaves them out, and null clears them', () => {
    expect(editedAssetFields(STORED, {})).toEqual({ fields: STORED });
    const cleared = { description: null, classificationDetails: null, locationId: null };
    expect(editedAssetFields(STORED, cleared)).toEqual({ fields: { ...STORED, ...cleared } });
  });

  it('are judged together when an Asset becomes a generator or gets new settings', () => {
    const errors = [{ path: 'classificationDetails.ratedKw', message: 'must be a number' }];
    const { classificationType, classificationDetails } = GENERATOR;
    const strangers = { ratedKw: 'many' };
    expect(editedAssetFields(STORED, { classificationType })).toEqual({ errors });
    expect(editedAssetFields(GENERATOR, { classificationDetails: strangers })).toEqual({ errors });
    expect(editedAssetFields(STORED, { classificationDetails: strangers })).toHaveProperty(
      'fields',
    );
    expect(editedAssetFields(GENERATOR, { name: 'New', classificationType })).toEqual({
      fields: { ...GENERATOR, name: 'New', classificationDetails },
    });
  });
});

describe('what an Asset names', () => {
  it('is its Location, Dashboard and parent', () => {
    expect(referencesOf(STORED)).toEqual([
      { path: 'locationId', table: 'locations', id: 'l' },
      { path: 'dashboardId', table: 'dashboards', id: 'd' },
      { path: 'parentId', table: 'assets', id: 'p' },
    ]);
  });

  it('is, for a generator with new settings, each Variable in them too', () => {
    expect(running(GENERATOR)).toEqual([`${path} ${ID}`]);
    expect(running(GENERATOR, STORED)).toEqual([`${path} ${ID}`]);
    expect(running(GENERATOR, { ...GENERATOR, name: 'Old' })).toEqual([]);
    expect(running(STORED, GENERATOR)).toEqual([]);
  });
});
