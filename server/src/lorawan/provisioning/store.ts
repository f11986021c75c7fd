import type { LorawanNetworkKind } from '@fieldwatch/contract';
import { isoDateTime } from '../../runtime/index.ts';
import { type Queries, run, sql, type Transaction } from '../../storage/index.ts';

/** A sensor or gateway whose registration is due, with its network. What a deleted Device had is null. */
export interface TaskRow {
  readonly organizationId: string;
  readonly networkId: string;
  readonly kind: 'SENSOR' | 'GATEWAY';
  readonly eui: string;
  readonly deviceId: string;
  readonly isRemoved: boolean;
  readonly hasNewFields: boolean;
  readonly hasNewKeys: boolean;
  readonly attempts: number;
  readonly version: number;
  readonly networkKind: LorawanNetworkKind;
  readonly apiUrl: string | null;
  readonly encryptedApiToken: Buffer | null;
  readonly applicationId: string;
  readonly defaultDeviceProfileId: string | null;
  readonly frequencyPlanId: string | null;
  readonly macVersion: string | null;
  readonly phyVersion: string | null;
  readonly name: string | null;
  readonly appEui: string | null;
  readonly encryptedAppKey: Buffer | null;
  readonly deviceProfileId: string | null;
}

/** A Device is a sensor or a gateway by the EUI that it has. */
const EUI = sql`coalesce(devices.dev_eui, devices.gateway_eui)`;
const KIND = sql`case when devices.dev_eui is null then 'GATEWAY' else 'SENSOR' end`;

/** Leases the registrations that are due longest: no other node takes them until then. */
export function leaseDue(
  db: Queries,
  { now, until, max }: { readonly now: number; readonly until: number; readonly max: number },
): Promise<TaskRow[]> {
  return run(
    db,
    sql`with due as (
          select organization_id, network_id, kind, eui from lorawan_provisionings
          where next_at <= ${isoDateTime(now)}
          order by next_at limit ${max} for update skip locked
        )
        update lorawan_provisionings provisionings
        set next_at = ${isoDateTime(until)}, attempts = provisionings.attempts + 1
        from due join lorawan_networks networks
            on networks.organization_id = due.organization_id and networks.id = due.network_id
          join lorawan_provisionings stored
            on stored.organization_id = due.organization_id
            and stored.network_id = due.network_id and stored.kind = due.kind
            and stored.eui = due.eui
          left join devices on devices.organization_id = due.organization_id
            and devices.id = stored.device_id and ${EUI} = due.eui
          left join lorawan_devices lorawan on lorawan.organization_id = devices.organization_id
            and lorawan.device_id = devices.id
        where provisionings.organization_id = due.organization_id
          and provisionings.network_id = due.network_id
          and provisionings.kind = due.kind and provisionings.eui = due.eui
        returning provisionings.organization_id as "organizationId",
          provisionings.network_id as "networkId", provisionings.kind, provisionings.eui,
          provisionings.device_id as "deviceId",
          (provisionings.state = 'REMOVING') as "isRemoved",
          provisionings.has_new_fields as "hasNewFields",
          provisionings.has_new_keys as "hasNewKeys", provisionings.attempts,
          provisionings.version, networks.kind as "networkKind", networks.api_url as "apiUrl",
          networks.encrypted_api_token as "encryptedApiToken",
          networks.application_id as "applicationId",
          networks.device_profile_id as "defaultDeviceProfileId",
          networks.frequency_plan_id as "frequencyPlanId", networks.mac_version as "macVersion",
          networks.phy_version as "phyVersion", devices.name, devices.app_eui as "appEui",
          devices.sealed_app_key as "encryptedAppKey",
          lorawan.device_profile_id as "deviceProfileId"`,
  );
}

type TaskKey = Pick<TaskRow, 'organizationId' | 'networkId' | 'kind' | 'eui' | 'version'>;

/** The row of the request that was served; a later one has another version. */
const served = ({ organizationId, networkId, kind, eui, version }: TaskKey) =>
  sql`organization_id = ${organizationId} and network_id = ${networkId}
      and kind = ${kind} and eui = ${eui} and version = ${version}`;

export async function saveRegistered(db: Queries, task: TaskKey): Promise<void> {
  await run(
    db,
    sql`update lorawan_provisionings set state = 'REGISTERED', error = null, attempts = 0,
          next_at = null, has_new_fields = false, has_new_keys = false
        where ${served(task)}`,
  );
}

export async function deleteRemoved(db: Queries, task: TaskKey): Promise<void> {
  await run(db, sql`delete from lorawan_provisionings where ${served(task)}`);
}

export interface FailedAttempt {
  readonly error: string | null;
  readonly isFinal: boolean;
  readonly nextAt: number;
}

/** What shall be removed stays so, also when that fails. */
export async function saveFailed(
  db: Queries,
  task: TaskKey,
  { error, isFinal, nextAt }: FailedAttempt,
): Promise<void> {
  await run(
    db,
    sql`update lorawan_provisionings set error = ${error}, next_at = ${isoDateTime(nextAt)},
          state = case when state = 'REMOVING' or not ${isFinal} then state else 'FAILED' end
        where ${served(task)}`,
  );
}

export type StateCounts = Readonly<
  Record<'PENDING' | 'REGISTERED' | 'FAILED' | 'REMOVING', number>
>;

/** How many sensors and gateways of all organizations are in which state. */
export async function countStates(db: Queries): Promise<StateCounts> {
  const rows = await run<{ state: keyof StateCounts; count: number }>(
    db,
    sql`select state, count(*)::int as count from lorawan_provisionings group by state`,
  );
  const none: StateCounts = { PENDING: 0, REGISTERED: 0, FAILED: 0, REMOVING: 0 };
  return { ...none, ...Object.fromEntries(rows.map(({ state, count }) => [state, count])) };
}

/** When a registration of a network is due: at once, or when the network registers again. */
const dueAt = (now: number) =>
  sql`case when networks.is_active and networks.provisioning = 'PUSH'
    then ${isoDateTime(now)}::timestamptz end`;

export interface Request {
  readonly deviceId: string;
  readonly hasNewFields: boolean;
  readonly hasNewKeys: boolean;
  readonly now: number;
}

/** Has the Device registered, if its network registers Devices. Another Device with its EUI is replaced. */
export async function requestDevice(
  tx: Transaction,
  organizationId: string,
  { deviceId, hasNewFields, hasNewKeys, now }: Request,
): Promise<void> {
  await run(
    tx,
    sql`insert into lorawan_provisionings as stored (organization_id, network_id, kind, eui,
          device_id, state, has_new_fields, has_new_keys, next_at)
        select devices.organization_id, networks.id, ${KIND}, ${EUI}, devices.id, 'PENDING',
          ${hasNewFields}::boolean, ${hasNewKeys}::boolean, ${dueAt(now)}
        from devices
          join lorawan_devices lorawan on lorawan.organization_id = devices.organization_id
            and lorawan.device_id = devices.id
          join lorawan_networks networks on networks.organization_id = lorawan.organization_id
            and networks.id = lorawan.network_id and networks.provisioning = 'PUSH'
        where devices.organization_id = ${organizationId} and devices.id = ${deviceId}
          and ${EUI} is not null
        on conflict (organization_id, network_id, kind, eui) do update set
          device_id = excluded.device_id, state = 'PENDING', error = null, attempts = 0,
          next_at = excluded.next_at, version = stored.version + 1,
          has_new_fields = stored.has_new_fields or excluded.has_new_fields
            or stored.device_id <> excluded.device_id,
          has_new_keys = stored.has_new_keys or excluded.has_new_keys
            or stored.device_id <> excluded.device_id`,
  );
}

/** What of a Device stays registered; null for nothing. */
export interface Kept {
  readonly networkId: string | null;
  readonly eui: string | null;
}

/** Has a Device removed from network servers, except where it is kept. */
export async function requestRemoval(
  tx: Transaction,
  organizationId: string,
  deviceId: string,
  { networkId, eui }: Kept,
  now: number,
): Promise<void> {
  await run(
    tx,
    sql`update lorawan_provisionings provisionings set state = 'REMOVING', error = null,
          attempts = 0, version = version + 1, next_at = ${dueAt(now)}
        from lorawan_networks networks
        where provisionings.organization_id = ${organizationId}
          and provisionings.device_id = ${deviceId}
          and networks.organization_id = provisionings.organization_id
          and networks.id = provisionings.network_id
          and (provisionings.network_id = ${networkId}::uuid
            and provisionings.eui = ${eui}::text) is not true`,
  );
}

/** Has all Devices of a network registered, also those that were before: the network has changed. */
export async function requestNetwork(
  tx: Transaction,
  organizationId: string,
  networkId: string,
  now: number,
): Promise<void> {
  await run(
    tx,
    sql`insert into lorawan_provisionings as stored (organization_id, network_id, kind, eui,
          device_id, state, next_at)
        select devices.organization_id, lorawan.network_id, ${KIND}, ${EUI}, devices.id, 'PENDING',
          ${isoDateTime(now)}::timestamptz
        from lorawan_devices lorawan join devices
            on devices.organization_id = lorawan.organization_id and devices.id = lorawan.device_id
        where lorawan.organization_id = ${organizationId} and lorawan.network_id = ${networkId}
          and ${EUI} is not null
        on conflict do nothing`,
  );
  await run(
    tx,
    sql`update lorawan_provisionings set error = null, attempts = 0, version = version + 1,
          next_at = ${isoDateTime(now)},
          state = case when state = 'REMOVING' then state else 'PENDING' end
        where organization_id = ${organizationId} and network_id = ${networkId}`,
  );
}

/** Nothing of the network is due until it registers Devices again. */
export async function suspendNetwork(
  tx: Transaction,
  organizationId: string,
  networkId: string,
): Promise<void> {
  await run(
    tx,
    sql`update lorawan_provisionings set next_at = null, version = version + 1
        where organization_id = ${organizationId} and network_id = ${networkId}`,
  );
}
