import { isoDateTime } from '../../runtime/index.ts';
import { type Queries, run, sql } from '../../storage/index.ts';
import type { NetworkRow } from '../networks/index.ts';

/** A network whose gateways are asked for. */
export interface PolledNetwork extends Pick<NetworkRow, 'id' | 'revision'> {
  readonly organizationId: string;
  readonly apiUrl: string;
  readonly encryptedApiToken: Buffer;
}

/** The active networks of The Things Stack of all organizations that have a key, after an id. */
export function listPolledNetworks(
  db: Queries,
  after: string,
  max: number,
): Promise<PolledNetwork[]> {
  return run(
    db,
    sql`select organization_id as "organizationId", id, revision, api_url as "apiUrl",
          encrypted_api_token as "encryptedApiToken"
        from lorawan_networks
        where id > ${after} and is_active and kind = 'THE_THINGS_STACK_V3'
          and api_url is not null and encrypted_api_token is not null
        order by id limit ${max}`,
  );
}

/** A gateway that is a Device. */
export interface GatewayDevice {
  readonly deviceId: string;
  readonly gatewayEui: string;
}

/** The gateways of an organization that are of this network or of none yet, after an id. */
export function listGatewayDevices(
  db: Queries,
  organizationId: string,
  { networkId, after, max }: { networkId: string; after: string; max: number },
): Promise<GatewayDevice[]> {
  return run(
    db,
    sql`select devices.id as "deviceId", devices.gateway_eui as "gatewayEui"
        from devices left join lorawan_devices lorawan
          on lorawan.organization_id = devices.organization_id and lorawan.device_id = devices.id
        where devices.organization_id = ${organizationId} and devices.id > ${after}
          and devices.gateway_eui is not null and devices.is_active
          and devices.archived_at is null
          and (lorawan.network_id is null or lorawan.network_id = ${networkId})
        order by devices.id limit ${max}`,
  );
}

/** Gateways of the network that are online stay so, because nobody knows whether they still are. */
export async function holdGateways(
  db: Queries,
  organizationId: string,
  networkId: string,
  { until, unlessUntil }: { readonly until: number; readonly unlessUntil: number },
): Promise<void> {
  await run(
    db,
    sql`update devices set online_held_until = ${isoDateTime(until)}
        from lorawan_devices lorawan
        where devices.organization_id = ${organizationId}
          and lorawan.organization_id = devices.organization_id
          and lorawan.device_id = devices.id and lorawan.network_id = ${networkId}
          and devices.gateway_eui is not null and devices.is_online
          and (devices.online_held_until is null
            or devices.online_held_until < ${isoDateTime(unlessUntil)})`,
  );
}

/** Not for a later revision: its own poll writes its own. */
export async function saveGatewayError(
  db: Queries,
  { organizationId, id, revision }: Pick<PolledNetwork, 'organizationId' | 'id' | 'revision'>,
  error: string | null,
): Promise<void> {
  await run(
    db,
    sql`update lorawan_networks set gateway_error = ${error}
        where organization_id = ${organizationId} and id = ${id} and revision = ${revision}
          and gateway_error is distinct from ${error}`,
  );
}
