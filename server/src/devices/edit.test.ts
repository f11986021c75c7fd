import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import type { DeviceRow } from './device.ts';
import { editedDeviceFields, newDeviceFields } from './edit.ts';

const encrypt = (appKey: string) => Buffer.from(`encrypted ${appKey}`);

const row: DeviceRow = {
  id: '018f0000-0000-7000-8000-000000000001',
  type: 'CUSTOM_DEVICE',
  name: 'Stored name',
  description: 'Stored',
  isActive: true,
  onlineMinutes: null,
  learnedOnlineMinutes: null,
  lastSeenAt: 5,
  isOnline: false,
  locationId: 'location',
  parentDeviceId: 'parent',
  gatewayEui: null,
  rfRegion: null,
  subBand: null,
  devEui: null,
  appEui: null,
  encryptedAppKey: null,
  archivedAt: null,
  createdAt: 1,
  updatedAt: 2,
  revision: 3,
};

describe('an edit of a Device', () => {
  it('keeps what is left out, sets what is given, and clears what is null', () => {
    const optional = <T>(arbitrary: fc.Arbitrary<T>) => fc.option(arbitrary, { nil: undefined });
    fc.assert(
      fc.property(
        fc.record({
          name: optional(fc.string()),
          description: optional(fc.string()),
          isActive: optional(fc.boolean()),
          locationId: optional(fc.constantFrom(null, 'other')),
          parentDeviceId: optional(fc.constantFrom(null, 'other')),
        }),
        (given) => {
          const edited = editedDeviceFields(
            row,
            { type: 'CUSTOM_DEVICE', ...given } as never,
            encrypt,
          );
          expect('fields' in edited && edited.fields).toEqual({
            name: given.name ?? row.name,
            description: given.description ?? row.description,
            isActive: given.isActive ?? row.isActive,
            locationId: given.locationId === undefined ? row.locationId : given.locationId,
            parentDeviceId:
              given.parentDeviceId === undefined ? row.parentDeviceId : given.parentDeviceId,
            gatewayEui: null,
            rfRegion: null,
            subBand: null,
            devEui: null,
            appEui: null,
            encryptedAppKey: null,
          });
        },
      ),
    );
  });

  it('refuses another type', () => {
    const edited = editedDeviceFields(row, { type: 'CONTROLCOM_GATEWAY' }, encrypt);
    expect(edited).toEqual({
      error: { path: 'type', message: 'must be CUSTOM_DEVICE: a Device keeps its type' },
    });
  });

  it('changes one field of a LoRaWAN configuration and keeps the others', () => {
    const stored = {
      ...row,
      type: 'LORAWAN_DEVICE',
      devEui: 'A',
      appEui: 'B',
      encryptedAppKey: encrypt('C'),
    } as const;
    const edited = editedDeviceFields(
      stored,
      { type: 'LORAWAN_DEVICE', configuration: { appEui: 'd' } },
      encrypt,
    );
    expect('fields' in edited && edited.fields).toMatchObject({
      devEui: 'A',
      appEui: 'D',
      encryptedAppKey: encrypt('C'),
    });
  });
});

describe('a new Device', () => {
  it('starts active, without what was not given', () => {
    expect(newDeviceFields({ type: 'CUSTOM_DEVICE', name: 'Named' }, encrypt)).toMatchObject({
      name: 'Named',
      description: '',
      isActive: true,
      locationId: null,
      parentDeviceId: null,
    });
  });

  it('has its key encrypted and its hexadecimal in upper case', () => {
    const configuration = { devEui: 'ab', appEui: 'cd', appKey: 'ef' };
    expect(
      newDeviceFields({ type: 'LORAWAN_DEVICE', name: 'Named', configuration }, encrypt),
    ).toMatchObject({
      devEui: 'AB',
      appEui: 'CD',
      encryptedAppKey: encrypt('EF'),
    });
  });
});
