import type { DeviceType, ProvisioningState } from '@fieldwatch/contract';
import { type Queries, run, sql, type Transaction } from '../../storage/index.ts';
import { NO_RADIO, type Radio } from '../radio/index.ts';

export interface SensorDeviceRow {
  readonly type: DeviceType;
  readonly networkId: string | null;
  readonly codecId: string | null;
  readonly deviceProfileId: string | null;
  /** Of the sensor, or of the gateway. */
  readonly eui: string | null;
  /** Null where its network registers no sensors. */
  readonly provisioningState: ProvisioningState | null;
  readonly provisioningError: string | null;
  readonly radio: Radio | null;
}

const ROW = sql`select devices.type, lorawan.network_id as "networkId",
    lorawan.codec_id as "codecId", lorawan.device_profile_id as "deviceProfileId",
    coalesce(devices.dev_eui, devices.gateway_eui) as eui, provisionings.state as "provisioningState",
    provisionings.error as "provisioningError", lorawan.radio
  from devices left join lorawan_devices lorawan
    on lorawan.organization_id = devices.organization_id and lorawan.device_id = devices.id
  left join lorawan_networks networks on networks.organization_id = lorawan.organization_id
    and networks.id = lorawan.network_id
  left join lorawan_provisionings provisionings
    on provisionings.organization_id = networks.organization_id
    and provisionings.network_id = networks.id
    and provisionings.eui = coalesce(devices.dev_eui, devices.gateway_eui)
    and provisionings.device_id = devices.id and networks.provisioning = 'PUSH'`;

export async function findSensorDevice(
  db: Queries,
  organizationId: string,
  deviceId: string,
): Promise<SensorDeviceRow | null> {
  const [row] = await run<SensorDeviceRow>(
    db,
    sql`${ROW} where devices.organization_id = ${organizationId} and devices.id = ${deviceId}`,
  );
  return row ?? null;
}

/** Locks the Device, which also serializes edits of its radio. */
export async function lockSensorDevice(
  tx: Transaction,
  organizationId: string,
  deviceId: string,
): Promise<SensorDeviceRow | null> {
  const [row] = await run<SensorDeviceRow>(
    tx,
    sql`${ROW} where devices.organization_id = ${organizationId} and devices.id = ${deviceId}
        for no key update of devices`,
  );
  return row ?? null;
}

export async function saveSensor(
  tx: Transaction,
  organizationId: string,
  deviceId: string,
  {
    networkId,
    codecId,
    deviceProfileId,
  }: Pick<SensorDeviceRow, 'networkId' | 'codecId' | 'deviceProfileId'>,
): Promise<void> {
  await run(
    tx,
    sql`insert into lorawan_devices (organization_id, device_id, network_id, codec_id,
          device_profile_id, radio)
        values (${organizationId}, ${deviceId}, ${networkId}, ${codecId}, ${deviceProfileId},
          ${JSON.stringify(NO_RADIO)})
        on conflict (organization_id, device_id) do update set network_id = excluded.network_id,
          codec_id = excluded.codec_id, device_profile_id = excluded.device_profile_id`,
  );
}
