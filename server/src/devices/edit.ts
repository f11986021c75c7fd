import { type Body, type FieldError, type Operations, subBandError } from '@fieldwatch/contract';
import type { DeviceRow } from './device.ts';
import type { DeviceFields } from './store.ts';

export type CreateBody = Body<Operations['createDevice']>;
export type UpdateBody = Body<Operations['updateDevice']>;

/** Encrypts an application key for storage. */
export type EncryptAppKey = (appKey: string) => Buffer;

type ConfigurationFields = Pick<
  DeviceFields,
  'gatewayEui' | 'rfRegion' | 'subBand' | 'devEui' | 'appEui' | 'encryptedAppKey'
>;

const NO_CONFIGURATION: ConfigurationFields = {
  gatewayEui: null,
  rfRegion: null,
  subBand: null,
  devEui: null,
  appEui: null,
  encryptedAppKey: null,
};

export function newDeviceFields(body: CreateBody, encrypt: EncryptAppKey): DeviceFields {
  return {
    name: body.name,
    description: body.description ?? '',
    isActive: true,
    locationId: body.locationId ?? null,
    parentDeviceId: body.parentDeviceId ?? null,
    ...configurationFields(NO_CONFIGURATION, body, encrypt),
  };
}

/** The stored fields with the given ones over them; what is left out stays. */
export function editedDeviceFields(
  row: DeviceRow,
  body: UpdateBody,
  encrypt: EncryptAppKey,
): { readonly fields: DeviceFields } | { readonly error: FieldError } {
  if (body.type !== row.type) {
    return { error: { path: 'type', message: `must be ${row.type}: a Device keeps its type` } };
  }
  const fields = {
    name: body.name ?? row.name,
    description: body.description ?? row.description,
    isActive: body.isActive ?? row.isActive,
    locationId: body.locationId === undefined ? row.locationId : body.locationId,
    parentDeviceId: body.parentDeviceId === undefined ? row.parentDeviceId : body.parentDeviceId,
    ...configurationFields(row, body, encrypt),
  };
  const { rfRegion, subBand } = fields;
  const error =
    rfRegion === null ? undefined : subBandError({ rfRegion, subBand: subBand ?? undefined });
  return error ? { error } : { fields };
}

function configurationFields(
  stored: ConfigurationFields,
  body: CreateBody | UpdateBody,
  encrypt: EncryptAppKey,
): ConfigurationFields {
  const { gatewayEui, rfRegion, subBand, devEui, appEui, encryptedAppKey } = stored;
  const kept = { gatewayEui, rfRegion, subBand, devEui, appEui, encryptedAppKey };
  if (!('configuration' in body) || body.configuration === undefined) return kept;
  const given = body.configuration;
  if (body.type === 'LORAWAN_DEVICE' && !('gatewayEui' in given)) {
    const key = given as { devEui?: string; appEui?: string; appKey?: string };
    return {
      ...kept,
      devEui: key.devEui?.toUpperCase() ?? devEui,
      appEui: key.appEui?.toUpperCase() ?? appEui,
      encryptedAppKey:
        key.appKey === undefined ? encryptedAppKey : encrypt(key.appKey.toUpperCase()),
    };
  }
  const gateway = given as {
    gatewayEui?: string;
    rfRegion?: NonNullable<DeviceFields['rfRegion']>;
    subBand?: number | null;
  };
  const region = gateway.rfRegion ?? rfRegion;
  return {
    ...kept,
    gatewayEui: gateway.gatewayEui?.toUpperCase() ?? gatewayEui,
    rfRegion: region,
    // A sub-band means something within its region only.
    subBand: gateway.subBand !== undefined ? gateway.subBand : region === rfRegion ? subBand : null,
  };
}
