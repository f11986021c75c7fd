import { isoDateTime } from '../../runtime/index.ts';
import { type Queries, run, sql, type Transaction } from '../../storage/index.ts';
import type { Radio } from '../radio/index.ts';

/** A sensor or gateway, as its events need it. */
export interface RadioDeviceRow {
  readonly deviceId: string;
  /** Null until a network knows it. */
  readonly networkId: string | null;
  readonly learnedOnlineMinutes: number | null;
}

/** A sensor as its uplinks need it. */
export interface SensorRow extends RadioDeviceRow {
  readonly codecId: string | null;
  readonly script: string | null;
  readonly radio: Radio | null;
}

const DEVICE_COLUMNS = sql`devices.id as "deviceId", lorawan.network_id as "networkId",
  devices.learned_online_minutes as "learnedOnlineMinutes"`;

const RADIO_DEVICES = sql`devices
  left join lorawan_devices lorawan
    on lorawan.organization_id = devices.organization_id and lorawan.device_id = devices.id`;

/** The Device with this EUI, in upper case. */
export async function findSensor(
  db: Queries,
  organizationId: string,
  devEui: string,
): Promise<SensorRow | null> {
  const [row] = await run<SensorRow>(
    db,
    sql`select ${DEVICE_COLUMNS}, lorawan.codec_id as "codecId", codecs.script, lorawan.radio
        from ${RADIO_DEVICES} left join codecs
          on codecs.organization_id = lorawan.organization_id and codecs.id = lorawan.codec_id
        where devices.organization_id = ${organizationId} and devices.dev_eui = ${devEui}`,
  );
  return row ?? null;
}

export async function findGateway(
  db: Queries,
  organizationId: string,
  gatewayEui: string,
): Promise<RadioDeviceRow | null> {
  const [row] = await run<RadioDeviceRow>(
    db,
    sql`select ${DEVICE_COLUMNS} from ${RADIO_DEVICES}
        where devices.organization_id = ${organizationId} and devices.gateway_eui = ${gatewayEui}`,
  );
  return row ?? null;
}

/** The network server has lost the gateway: it is offline until it is seen again. */
export async function saveDisconnected(
  db: Queries,
  organizationId: string,
  deviceId: string,
  now: number,
): Promise<void> {
  await run(
    db,
    sql`update devices set disconnected_at = ${isoDateTime(now)}, online_held_until = null
        where organization_id = ${organizationId} and id = ${deviceId}`,
  );
}

/** The radio, locked; null where the Device has none yet or is gone. */
export async function lockRadio(
  tx: Transaction,
  organizationId: string,
  deviceId: string,
): Promise<Radio | null> {
  const [row] = await run<{ radio: Radio }>(
    tx,
    sql`select radio from lorawan_devices
        where organization_id = ${organizationId} and device_id = ${deviceId} for update`,
  );
  return row?.radio ?? null;
}

/** A Device that was deleted meanwhile has none. The first network that brings its uplinks is its own. */
export async function saveRadio(
  tx: Transaction,
  organizationId: string,
  { deviceId, networkId, radio }: { deviceId: string; networkId: string; radio: Radio },
): Promise<void> {
  const gateways = radio.receivedBy.map(({ gatewayId }) => gatewayId).sort();
  await run(
    tx,
    sql`insert into lorawan_devices as stored (organization_id, device_id, network_id, radio,
          gateways)
        select devices.organization_id, devices.id, networks.id, ${JSON.stringify(radio)},
          ${gateways}::text[]
        from devices left join lorawan_networks networks
          on networks.organization_id = devices.organization_id and networks.id = ${networkId}
        where devices.organization_id = ${organizationId} and devices.id = ${deviceId}
        on conflict (organization_id, device_id) do update set radio = excluded.radio,
          gateways = excluded.gateways,
          network_id = coalesce(stored.network_id, excluded.network_id)`,
  );
}

/** How long the Device counts as online, unless its Device has a window of its own. */
export async function saveLearnedOnlineMinutes(
  tx: Transaction,
  organizationId: string,
  deviceId: string,
  minutes: number,
): Promise<void> {
  await run(
    tx,
    sql`update devices set learned_online_minutes = ${minutes}
        where organization_id = ${organizationId} and id = ${deviceId}`,
  );
}

export interface UnknownSensor {
  readonly networkId: string;
  readonly devEui: string;
  readonly name: string | null;
  readonly payload: Buffer | null;
  readonly at: number;
}

/** Notes a sensor that is no Device, and deletes the oldest beyond the limit. */
export async function noteUnknown(
  tx: Transaction,
  organizationId: string,
  { networkId, devEui, name, payload, at }: UnknownSensor,
  max: number,
): Promise<void> {
  await run(
    tx,
    sql`insert into lorawan_unknown_devices as stored (organization_id, network_id, dev_eui, name,
          last_at, last_payload)
        select organization_id, id, ${devEui}, ${name}, ${isoDateTime(at)}, ${payload}
        from lorawan_networks where organization_id = ${organizationId} and id = ${networkId}
        on conflict (organization_id, network_id, dev_eui) do update set name = excluded.name,
          last_at = greatest(stored.last_at, excluded.last_at), count = stored.count + 1,
          last_payload = coalesce(excluded.last_payload, stored.last_payload)`,
  );
  await run(
    tx,
    sql`delete from lorawan_unknown_devices
        where organization_id = ${organizationId} and network_id = ${networkId}
          and dev_eui in (select dev_eui from lorawan_unknown_devices
            where organization_id = ${organizationId} and network_id = ${networkId}
            order by last_at desc, dev_eui offset ${max})`,
  );
}

/** A sensor that has become a Device is no longer unknown. */
export async function deleteUnknown(
  tx: Transaction,
  organizationId: string,
  devEui: string,
): Promise<void> {
  await run(
    tx,
    sql`delete from lorawan_unknown_devices
        where organization_id = ${organizationId} and dev_eui = ${devEui}`,
  );
}
