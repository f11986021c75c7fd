import { describe, expect, it } from 'vitest';
import { editedLocationFields, newLocationFields } from './edit.ts';

const STORED = {
  name: 'Plant',
  description: 'Stored',
  address: 'Stored',
  latitude: 1,
  longitude: 2,
  parentId: 'parent',
  timeZone: 'UTC',
};
const EMPTY = {
  description: null,
  address: null,
  latitude: null,
  longitude: null,
  parentId: null,
  timeZone: null,
};

describe('the fields of a Location', () => {
  it('are empty where nothing is given for a new one', () => {
    expect(newLocationFields({ name: 'Plant' })).toEqual({ name: 'Plant', ...EMPTY });
    expect(newLocationFields(STORED)).toEqual(STORED);
  });

  it('stay as they are where an edit leaves them out, and null clears them', () => {
    expect(editedLocationFields(STORED, {})).toEqual({ fields: STORED });
    expect(editedLocationFields(STORED, EMPTY)).toEqual({ fields: { name: 'Plant', ...EMPTY } });
    expect(editedLocationFields(STORED, { latitude: 0 })).toEqual({
      fields: { ...STORED, latitude: 0 },
    });
  });

  it('have both coordinates or none after an edit', () => {
    const bare = { ...STORED, latitude: null, longitude: null };
    expect(editedLocationFields(STORED, { longitude: null })).toEqual({
      error: { path: 'longitude', message: 'is required when latitude is given' },
    });
    expect(editedLocationFields(bare, { longitude: 0 })).toEqual({
      error: { path: 'latitude', message: 'is required when longitude is given' },
    });
    expect(editedLocationFields(bare, { latitude: 0, longitude: 0 })).toHaveProperty('fields');
  });
});
