import type { LorawanDevice, Operations } from '@fieldwatch/contract';
import { changeOf, type Handler } from '../../http/index.ts';
import { type Clock, Failure, invalid, isoDateTime, notFound } from '../../runtime/index.ts';
import { requireReferences, type Storage } from '../../storage/index.ts';
import type { Provisioning } from '../provisioning/index.ts';
import {
  intervalSecondsOf,
  lostWithinDay,
  NO_RADIO,
  retransmittedWithinDay,
} from '../radio/index.ts';
import * as store from './store.ts';

export interface SensorsDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly provisioning: Pick<Provisioning, 'radioSaved'>;
}

export interface Sensors {
  readonly retrieve: Handler<Operations['retrieveLorawanDevice']>;
  readonly update: Handler<Operations['updateLorawanDevice']>;
}

export function createSensors(deps: SensorsDeps): Sensors {
  const { storage, clock } = deps;
  return {
    async retrieve({ params: { organizationId, deviceId } }) {
      const row = requireSensor(await store.findSensorDevice(storage, organizationId, deviceId));
      return { body: recordOf(row, clock.now()) };
    },
    update: update(deps),
  };
}

function update({ provisioning }: SensorsDeps): Sensors['update'] {
  return async ({ params: { organizationId, deviceId }, body }, { tx, now }) => {
    const row = requireSensor(await store.lockSensorDevice(tx, organizationId, deviceId));
    const before = choicesOf(row);
    const after = { ...before, ...body };
    if (row.type !== 'LORAWAN_DEVICE') requireNoSensorFields(after);
    await requireReferences(tx, organizationId, [
      { path: 'networkId', table: 'lorawan_networks', id: after.networkId },
      { path: 'codecId', table: 'codecs', id: after.codecId },
    ]);
    await store.saveSensor(tx, organizationId, deviceId, after);
    const hasNewFields = after.deviceProfileId !== before.deviceProfileId;
    if (hasNewFields || after.networkId !== before.networkId) {
      const { networkId } = after;
      const radio = { networkId, eui: row.eui, hasNewFields };
      await provisioning.radioSaved(tx, organizationId, deviceId, radio);
    }
    const saved = requireSensor(await store.findSensorDevice(tx, organizationId, deviceId));
    return {
      body: recordOf(saved, now),
      changes: [changeOf(organizationId, 'Device', { id: deviceId, before, after })],
    };
  };
}

const choicesOf = ({ networkId, codecId, deviceProfileId }: store.SensorDeviceRow) => ({
  networkId,
  codecId,
  deviceProfileId,
});

function requireSensor(row: store.SensorDeviceRow | null): store.SensorDeviceRow {
  if (!row) throw notFound('Device');
  if (row.eui === null) {
    throw new Failure('CONFLICT', 'The Device is no sensor or gateway of LoRaWAN.');
  }
  return row;
}

/** A gateway has a network, and nothing else. */
function requireNoSensorFields(given: ReturnType<typeof choicesOf>): void {
  const errors = (['codecId', 'deviceProfileId'] as const)
    .filter((path) => given[path] !== null)
    .map((path) => ({ path, message: 'must be null for a gateway' }));
  if (errors.length > 0) throw invalid(...errors);
}

function recordOf(row: store.SensorDeviceRow, now: number): LorawanDevice {
  const { provisioningState, provisioningError } = row;
  const radio = row.radio ?? NO_RADIO;
  const { lastUplink, lastJoinAt, devAddr, battery } = radio;
  return {
    ...choicesOf(row),
    provisioning: { state: provisioningState ?? 'NOT_MANAGED', error: provisioningError },
    ...{ devAddr, battery },
    lastJoinDateTime: lastJoinAt === null ? null : isoDateTime(lastJoinAt),
    lastUplink: lastUplink && uplinkRecord(lastUplink),
    lostUplinks24h: lostWithinDay(radio, now),
    retransmittedUplinks24h: retransmittedWithinDay(radio, now),
    // The interval of a gateway is that of its statistics.
    uplinkIntervalSeconds: row.type === 'LORAWAN_DEVICE' ? intervalSecondsOf(radio) : null,
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
