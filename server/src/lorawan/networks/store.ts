import type { LorawanIngest, LorawanNetworkKind, LorawanProvisioning } from '@fieldwatch/contract';
import { fold, isoDateTime } from '../../runtime/index.ts';
import {
  type Page,
  type PageRequest,
  page,
  type Queries,
  rowsOf,
  run,
  saved,
  sql,
  type Transaction,
} from '../../storage/index.ts';

export interface NetworkRow {
  readonly id: string;
  readonly name: string;
  readonly kind: LorawanNetworkKind;
  readonly isActive: boolean;
  readonly ingest: LorawanIngest;
  readonly url: string | null;
  readonly username: string | null;
  readonly encryptedPassword: Buffer | null;
  readonly topicTemplate: string | null;
  readonly caCertificate: string | null;
  readonly applicationId: string;
  readonly tenantId: string | null;
  readonly gatewayPrefixes: string[];
  readonly provisioning: LorawanProvisioning;
  readonly apiUrl: string | null;
  readonly encryptedApiToken: Buffer | null;
  readonly deviceProfileId: string | null;
  readonly frequencyPlanId: string | null;
  readonly macVersion: string | null;
  readonly phyVersion: string | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
  readonly isConnected: boolean;
  readonly lastConnectedAt: number | null;
  readonly lastEventAt: number | null;
  readonly lastError: string | null;
  /** Why the state of its gateways could not be read last. */
  readonly gatewayError: string | null;
  readonly eventsPerMinute: number;
}

/** What an edit may set. */
export type NetworkFields = Omit<
  NetworkRow,
  | 'id'
  | 'kind'
  | 'createdAt'
  | 'updatedAt'
  | 'revision'
  | 'isConnected'
  | 'lastConnectedAt'
  | 'lastEventAt'
  | 'lastError'
  | 'gatewayError'
  | 'eventsPerMinute'
>;

const COLUMNS = sql`id, name, kind, is_active as "isActive", ingest, url, username,
  encrypted_password as "encryptedPassword", topic_template as "topicTemplate",
  ca_certificate as "caCertificate",
  application_id as "applicationId", tenant_id as "tenantId",
  gateway_prefixes as "gatewayPrefixes", provisioning, api_url as "apiUrl",
  encrypted_api_token as "encryptedApiToken", device_profile_id as "deviceProfileId",
  frequency_plan_id as "frequencyPlanId", mac_version as "macVersion",
  phy_version as "phyVersion", created_at as "createdAt", updated_at as "updatedAt",
  revision, is_connected as "isConnected", last_connected_at as "lastConnectedAt",
  last_event_at as "lastEventAt", last_error as "lastError",
  gateway_error as "gatewayError",
  events_per_minute as "eventsPerMinute"`;

export const {
  find: findNetwork,
  list: listNetworks,
  lock: lockNetwork,
  remove: deleteNetwork,
} = rowsOf<NetworkRow>('lorawan_networks', COLUMNS);

/** The organization is locked, so that two new networks are counted one after the other. */
export async function countNetworks(tx: Transaction, organizationId: string): Promise<number> {
  await run(tx, sql`select id from organizations where id = ${organizationId} for no key update`);
  const [row] = await run<{ count: number }>(
    tx,
    sql`select count(*)::int as count from lorawan_networks
        where organization_id = ${organizationId}`,
  );
  return row?.count ?? 0;
}

export interface NewNetwork extends NetworkFields {
  readonly id: string;
  readonly kind: LorawanNetworkKind;
  readonly now: number;
}

export async function insertNetwork(
  tx: Transaction,
  organizationId: string,
  { id, kind, now, ...fields }: NewNetwork,
): Promise<NetworkRow> {
  const at = isoDateTime(now);
  return saved(
    run<NetworkRow>(
      tx,
      sql`insert into lorawan_networks (organization_id, id, name, name_folded, kind, is_active,
            ingest, url, username, encrypted_password, topic_template, application_id, tenant_id,
            gateway_prefixes, ca_certificate, provisioning, api_url, encrypted_api_token, device_profile_id,
            frequency_plan_id, mac_version, phy_version, created_at, updated_at)
          values (${organizationId}, ${id}, ${fields.name}, ${fold(fields.name)}, ${kind},
            ${fields.isActive}, ${fields.ingest}, ${fields.url}, ${fields.username},
            ${fields.encryptedPassword}, ${fields.topicTemplate}, ${fields.applicationId},
            ${fields.tenantId}, ${fields.gatewayPrefixes}::text[], ${fields.caCertificate},
            ${fields.provisioning},
            ${fields.apiUrl}, ${fields.encryptedApiToken}, ${fields.deviceProfileId},
            ${fields.frequencyPlanId}, ${fields.macVersion}, ${fields.phyVersion}, ${at}, ${at})
          returning ${COLUMNS}`,
    ),
  );
}

export async function updateNetwork(
  tx: Transaction,
  organizationId: string,
  id: string,
  fields: NetworkFields,
  now: number,
): Promise<NetworkRow> {
  return saved(
    run<NetworkRow>(
      tx,
      sql`update lorawan_networks set name = ${fields.name}, name_folded = ${fold(fields.name)},
            is_active = ${fields.isActive}, ingest = ${fields.ingest}, url = ${fields.url},
            username = ${fields.username}, encrypted_password = ${fields.encryptedPassword},
            topic_template = ${fields.topicTemplate}, application_id = ${fields.applicationId},
            tenant_id = ${fields.tenantId}, gateway_prefixes = ${fields.gatewayPrefixes}::text[],
            ca_certificate = ${fields.caCertificate},
            provisioning = ${fields.provisioning}, api_url = ${fields.apiUrl},
            encrypted_api_token = ${fields.encryptedApiToken},
            device_profile_id = ${fields.deviceProfileId},
            frequency_plan_id = ${fields.frequencyPlanId}, mac_version = ${fields.macVersion},
            phy_version = ${fields.phyVersion},
            updated_at = ${isoDateTime(now)}, revision = revision + 1, is_connected = false,
            last_error = null, gateway_error = null
          where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}

export interface UnknownDeviceRow {
  readonly devEui: string;
  readonly name: string | null;
  readonly lastAt: number;
  readonly count: number;
  readonly lastPayload: Buffer | null;
}

export function listUnknownDevices(
  db: Queries,
  organizationId: string,
  networkId: string,
  request: PageRequest,
): Promise<Page<UnknownDeviceRow>> {
  return page(
    db,
    {
      columns: sql`dev_eui as "devEui", name, last_at as "lastAt", count,
        last_payload as "lastPayload"`,
      from: sql`lorawan_unknown_devices`,
      where: sql`organization_id = ${organizationId} and network_id = ${networkId}
        and not exists (select 1 from devices
          where devices.organization_id = lorawan_unknown_devices.organization_id
            and devices.dev_eui = lorawan_unknown_devices.dev_eui)`,
      order: sql`last_at desc, dev_eui`,
    },
    request,
  );
}
