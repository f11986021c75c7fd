import { MANAGED_KEY_PART } from '@fieldwatch/contract';
import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../../../test/support/soak.ts';
import { nameOf } from '../model/index.ts';
import { actualState, asServerRecord, type ServerRecord, type StoredKey } from './actual.ts';

const created = (id: string) => ({ createdDateTime: `2026-11-01T00:00:0${id.slice(-1)}.000Z` });
const location = (id: string, name: string) =>
  asServerRecord('locations', { id, name, ...created(id) });
const device = (id: string, name: string, isArchived = false) =>
  asServerRecord(
    'devices',
    { id, name, type: 'CUSTOM_DEVICE', onlineVariableId: `online-${id}`, ...created(id) },
    isArchived,
  );
const variable = (id: string, deviceId: string, topicPropertyPath: string) =>
  asServerRecord('variables', { id, deviceId, topicPropertyPath, name: 'V', ...created(id) });

const keysOf = (found: readonly ServerRecord[], stored: readonly StoredKey[] = []) =>
  Object.fromEntries(actualState(found, stored).records.map((each) => [each.id, each.key]));

describe('the keys of the records of a server', () => {
  it('are made from names, and from the paths of Variables', () => {
    const found = [
      location('1', 'Größe, Halle 1'),
      location('2', '冷蔵庫'),
      location('6', '018F0000-0000-7000-8000-000000000001'),
      device('3', 'Pump 1 (north)'),
      variable('4', '3', 'engine.oilPressure'),
      variable('5', '3', '//tank[0]/level'),
    ];
    expect(keysOf(found)).toEqual({
      '1': 'grosse-halle-1',
      '2': 'locations',
      '6': 'locations-018f0000-0000-7000-8000-000000000001',
      '3': 'pump-1-north',
      '4': 'pump-1-north/engine.oilPressure',
      '5': 'pump-1-north/tank-0-level',
    });
  });

  it('have a number where names are the same, the oldest record none', () => {
    const found = [location('3', 'Plant'), location('1', 'Plant'), location('2', 'plant')];
    expect(keysOf(found)).toEqual({ '1': 'plant', '2': 'plant-2', '3': 'plant-3' });
  });

  it('are the stored ones where there are any, and never taken by another record', () => {
    const found = [location('1', 'Plant'), location('2', 'Other')];
    const stored = [{ kind: 'locations' as const, key: 'plant', id: '2' }];
    expect(keysOf(found, stored)).toEqual({ '1': 'plant-2', '2': 'plant' });
  });

  it('of Variables follow the key of their Device, and "online" is the built-in one', () => {
    const found = [
      device('1', 'Pump 1'),
      variable('2', '1', 'online'),
      variable('3', '1', 'speed'),
    ];
    const stored = [{ kind: 'variables' as const, key: 'old/rpm', id: '3' }];
    const { records, idOf } = actualState(found, stored);
    expect(records.map(({ key, isKeyStored }) => [key, isKeyStored])).toEqual([
      ['pump-1', false],
      ['pump-1/online-2', false],
      ['pump-1/rpm', false],
    ]);
    expect(idOf('variables', 'pump-1/online', '')).toBe('online-1');
  });

  it('are for archived records only if they are stored, and their Variables go with them', () => {
    const found = [device('1', 'Pump 1', true), variable('2', '1', 'speed')];
    expect(keysOf(found)).toEqual({});
    const stored = [{ kind: 'devices' as const, key: 'pump', id: '1' }];
    expect(keysOf(found, stored)).toEqual({ '1': 'pump', '2': 'pump/speed' });
  });

  it('are valid and unique, whatever the names', () => {
    const name = fc.oneof(
      fc.string({ unit: 'grapheme' }),
      fc.constantFrom('a', 'A', 'a-2', 'online'),
    );
    const property = fc.property(fc.array(name, { maxLength: 8 }), (names) => {
      const found = [
        device('0', 'Pump'),
        ...names.map((each, index) => location(`1${index}`, each)),
        ...names.map((each, index) => variable(`2${index}`, '0', each)),
      ];
      const { records } = actualState(found, []);
      expect(records).toHaveLength(found.length);
      expect(new Set(records.map(nameOf)).size).toBe(found.length);
      const valid = new RegExp(`^${MANAGED_KEY_PART}(/${MANAGED_KEY_PART})?$`);
      for (const { key } of records) expect(key).toMatch(valid);
    });
    fc.assert(property, { numRuns: cases(300) });
  });
});

describe('records that a file cannot have', () => {
  it('are references to unknown records, which are left out and named', () => {
    const asset = asServerRecord('assets', {
      id: '1',
      name: 'Pump',
      locationId: 'gone',
      variables: [{ id: 'gone' }],
      ...created('1'),
    });
    const { records, notes } = actualState([asset], []);
    expect(records).toMatchObject([{ fields: { name: 'Pump' } }]);
    expect(records[0]?.fields).not.toHaveProperty('location');
    expect(notes).toEqual([
      'assets/pump refers to locations gone, which is not among them.',
      'assets/pump refers to variables gone, which is not among them.',
    ]);
  });
});
