import type { LorawanDevice, Operations } from '@fieldwatch/contract';
import { changeOf, type Handler } from '../../http/index.ts';
import { type Clock, Failure, isoDateTime, notFound } from '../../runtime/index.ts';
import { requireReferences, type Storage } from '../../storage/index.ts';
import { intervalSecondsOf, lostWithinDay, NO_RADIO } from '../radio/index.ts';
import * as store from './store.ts';

export interface SensorsDeps {
  readonly storage: Storage;
  readonly clock: Clock;
}

export interface Sensors {
  readonly retrieve: Handler<Operations['retrieveLorawanDevice']>;
  readonly update: Handler<Operations['updateLorawanDevice']>;
}

export function createSensors({ storage, clock }: SensorsDeps): Sensors {
  return {
    async retrieve({ params: { organizationId, deviceId } }) {
      const row = requireSensor(await store.findSensorDevice(storage, organizationId, deviceId));
      return { body: recordOf(row, clock.now()) };
    },
    async update({ params: { organizationId, deviceId }, body }, { tx, now }) {
      const row = requireSensor(await store.lockSensorDevice(tx, organizationId, deviceId));
      const { networkId = row.networkId, codecId = row.codecId } = body;
      await requireReferences(tx, organizationId, [
        { path: 'networkId', table: 'lorawan_networks', id: networkId },
        { path: 'codecId', table: 'codecs', id: codecId },
      ]);
      await store.saveSensor(tx, organizationId, deviceId, { networkId, codecId });
      const change = {
        id: deviceId,
        before: { networkId: row.networkId, codecId: row.codecId },
        after: { networkId, codecId },
      };
      return {
        body: recordOf({ ...row, networkId, codecId }, now),
        changes: [changeOf(organizationId, 'Device', change)],
      };
    },
  };
}

function requireSensor(row: store.SensorDeviceRow | null): store.SensorDeviceRow {
  if (!row) throw notFound('Device');
  if (row.type !== 'LORAWAN_DEVICE') {
    throw new Failure('CONFLICT', 'The Device is not of the type LORAWAN_DEVICE.');
  }
  return row;
}

function recordOf(row: store.SensorDeviceRow, now: number): LorawanDevice {
  const { networkId, codecId } = row;
  const radio = row.radio ?? NO_RADIO;
  const { lastUplink, lastJoinAt, devAddr, battery } = radio;
  return {
    ...{ networkId, codecId, devAddr, battery },
    lastJoinDateTime: lastJoinAt === null ? null : isoDateTime(lastJoinAt),
    lastUplink: lastUplink && uplinkRecord(lastUplink),
    lostUplinks24h: lostWithinDay(radio, now),
    uplinkIntervalSeconds: intervalSecondsOf(radio),
    log: radio.log.map(({ at, ...entry }) => ({ dateTime: isoDateTime(at), ...entry })),
  };
}

function uplinkRecord({
  at,
  gatewayIds,
  ...uplink
}: NonNullable<typeof NO_RADIO.lastUplink>): NonNullable<LorawanDevice['lastUplink']> {
  return { dateTime: isoDateTime(at), ...uplink, gatewayIds: [...gatewayIds] };
}
