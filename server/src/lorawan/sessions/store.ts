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
