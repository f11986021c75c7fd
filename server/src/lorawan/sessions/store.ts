import { isoDateTime } from '../../runtime/index.ts';
import { type Queries, run, sql } from '../../storage/index.ts';
import type { NetworkRow } from '../networks/index.ts';

/** A network as its session needs it. */
export type ActiveNetwork = { readonly organizationId: string } & Pick<
  NetworkRow,
  | 'id'
  | 'kind'
  | 'url'
  | 'username'
  | 'encryptedPassword'
  | 'topicTemplate'
  | 'caCertificate'
  | 'applicationId'
  | 'tenantId'
  | 'gatewayPrefixes'
  | 'revision'
>;

/** The active networks of all organizations that are received by MQTT, after an id. */
export function listActiveNetworks(
  db: Queries,
  after: string,
  max: number,
): Promise<ActiveNetwork[]> {
  return run(
    db,
    sql`select organization_id as "organizationId", id, kind, url, username,
          encrypted_password as "encryptedPassword", topic_template as "topicTemplate",
          ca_certificate as "caCertificate",
          application_id as "applicationId", tenant_id as "tenantId",
          gateway_prefixes as "gatewayPrefixes", revision
        from lorawan_networks
        where id > ${after} and is_active and ingest = 'MQTT'
        order by id limit ${max}`,
  );
}

/** Not for a later revision: its session writes its own. */
export async function saveConnection(
  db: Queries,
  { organizationId, id, revision }: Pick<ActiveNetwork, 'organizationId' | 'id' | 'revision'>,
  { isConnected, error }: { readonly isConnected: boolean; readonly error: string | null },
  now: number,
): Promise<void> {
  await run(
    db,
    sql`update lorawan_networks set is_connected = ${isConnected}, last_error = ${error},
          last_connected_at = case when ${isConnected} then ${isoDateTime(now)}::timestamptz
            else last_connected_at end
        where organization_id = ${organizationId} and id = ${id} and revision = ${revision}`,
  );
}

/**
 * The window of gateways that are online begins again: what they sent while no node was connected is
 * lost, unless they publish with QoS 1.
 */
export async function renewGatewayWindows(
  db: Queries,
  { organizationId, id }: Pick<ActiveNetwork, 'organizationId' | 'id'>,
  now: number,
): Promise<void> {
  const minutes = sql`coalesce(devices.online_minutes, devices.learned_online_minutes)`;
  await run(
    db,
    sql`update devices set
          online_held_until = ${isoDateTime(now)}::timestamptz + make_interval(mins => ${minutes})
        from lorawan_devices lorawan
        where devices.organization_id = ${organizationId}
          and lorawan.organization_id = devices.organization_id
          and lorawan.device_id = devices.id and lorawan.network_id = ${id}
          and devices.gateway_eui is not null and devices.is_online and ${minutes} is not null`,
  );
}

export interface ActivityRow {
  readonly organizationId: string;
  readonly id: string;
  readonly lastEventAt: string;
  readonly eventsPerMinute: number;
}

export async function saveActivity(db: Queries, rows: readonly ActivityRow[]): Promise<void> {
  await run(
    db,
    sql`update lorawan_networks networks set last_event_at = given."lastEventAt",
          events_per_minute = given."eventsPerMinute"
        from json_to_recordset(${JSON.stringify(rows)}) as given ("organizationId" uuid, id uuid,
          "lastEventAt" timestamptz, "eventsPerMinute" integer)
        where networks.organization_id = given."organizationId" and networks.id = given.id`,
  );
}
