import type { Device, DeviceType, GatewayConfiguration } from '@fieldwatch/contract';
import { type DevicePresence, onlineVariableIdOf } from '../presence/index.ts';
import { isoDateTime } from '../runtime/index.ts';

/** A Device as it is stored. The application key of a LoRaWAN Device is encrypted. */
export interface DeviceRow {
  readonly id: string;
  readonly type: DeviceType;
  readonly name: string;
  readonly description: string;
  readonly isActive: boolean;
  readonly lastSeenAt: number | null;
  readonly isOnline: boolean;
  /** Null means as long as the server says. */
  readonly onlineMinutes: number | null;
  /** Of a LoRaWAN sensor, from the interval of its uplinks; counts where it has no window of its own. */
  readonly learnedOnlineMinutes: number | null;
  readonly locationId: string | null;
  readonly parentDeviceId: string | null;
  readonly gatewayEui: string | null;
  readonly rfRegion: GatewayConfiguration['rfRegion'] | null;
  readonly subBand: number | null;
  readonly devEui: string | null;
  readonly appEui: string | null;
  readonly encryptedAppKey: Buffer | null;
  readonly archivedAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

const MASK = '*'.repeat(32);

/** Decrypts an application key for a caller who may see it. */
export type RevealAppKey = (encrypted: Buffer, deviceId: string) => string;

export const masked: RevealAppKey = () => MASK;

/** Where presence is not reported. */
export const OFFLINE: DevicePresence = { isOnline: false, lastSeenAt: null };

export function deviceRecord(
  row: DeviceRow,
  { isOnline, lastSeenAt }: DevicePresence,
  revealAppKey: RevealAppKey,
): Device {
  const configuration = configurationOf(row, revealAppKey);
  return {
    id: row.id,
    name: row.name,
    description: row.description,
    type: row.type,
    isActive: row.isActive,
    isOnline,
    locationId: row.locationId,
    parentDeviceId: row.parentDeviceId,
    onlineVariableId: onlineVariableIdOf(row.id),
    lastSeenDateTime: lastSeenAt === null ? null : isoDateTime(lastSeenAt),
    createdDateTime: isoDateTime(row.createdAt),
    updatedDateTime: isoDateTime(row.updatedAt),
    ...(configuration ? { configuration } : {}),
  };
}

function configurationOf(row: DeviceRow, revealAppKey: RevealAppKey): Device['configuration'] {
  const { gatewayEui, rfRegion, subBand, devEui, appEui, encryptedAppKey } = row;
  if (gatewayEui !== null && rfRegion !== null) {
    return { gatewayEui, rfRegion, ...(subBand === null ? {} : { subBand }) };
  }
  if (devEui !== null && appEui !== null && encryptedAppKey !== null) {
    return { devEui, appEui, appKey: revealAppKey(encryptedAppKey, row.id) };
  }
  return undefined;
}
