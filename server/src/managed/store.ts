import type { ManagedKind } from '@fieldwatch/contract';
import {
  all,
  type Page,
  type PageRequest,
  page,
  type Queries,
  run,
  sql,
  type Transaction,
} from '../storage/index.ts';

/** Sets the locks of organizations apart from other ones. */
const LOCK = 7_114_823_966;

export interface ManagedRow {
  readonly kind: ManagedKind;
  readonly key: string;
  readonly resourceId: string;
}

const RESOURCE_ID = sql`coalesce(location_id, folder_id, device_id, variable_id, webhook_id,
  rota_id, alarm_group_id, escalation_policy_id, alarm_id, asset_id, dashboard_id)`;

/** Keys in order of kind and key. */
export function listKeys(
  db: Queries,
  organizationId: string,
  { kinds }: { readonly kinds: readonly ManagedKind[] },
  request: PageRequest,
): Promise<Page<ManagedRow>> {
  return page<ManagedRow>(
    db,
    {
      columns: sql`kind, key, ${RESOURCE_ID} as "resourceId"`,
      from: sql`managed_resources`,
      where: all([sql`organization_id = ${organizationId}`, sql`kind = any(${kinds}::text[])`]),
      order: sql`kind, key`,
    },
    request,
  );
}

export interface Assignment {
  readonly kind: ManagedKind;
  readonly key: string;
  readonly resourceId: string | null;
}

/** Until the transaction ends, no other one assigns keys in the organization. */
export async function lockKeys(tx: Transaction, organizationId: string): Promise<void> {
  await run(tx, sql`select pg_advisory_xact_lock(hashtextextended(${organizationId}, ${LOCK}))`);
}

/** Drops the given keys, and every other key of the given records. */
export function dropKeys(
  tx: Transaction,
  organizationId: string,
  given: readonly Assignment[],
): Promise<ManagedRow[]> {
  return run<ManagedRow>(
    tx,
    sql`delete from managed_resources
        using json_to_recordset(${JSON.stringify(given)}) as given
          (kind text, key text, "resourceId" uuid)
        where organization_id = ${organizationId} and managed_resources.kind = given.kind
          and (managed_resources.key = given.key or ${RESOURCE_ID} = given."resourceId")
        returning managed_resources.kind, managed_resources.key, ${RESOURCE_ID} as "resourceId"`,
  );
}

export async function insertKeys(
  tx: Transaction,
  organizationId: string,
  given: readonly ManagedRow[],
): Promise<void> {
  const idOf = (kind: ManagedKind) => sql`case when kind = ${kind} then "resourceId" end`;
  await run(
    tx,
    sql`insert into managed_resources (organization_id, kind, key, location_id, folder_id,
          device_id, variable_id, webhook_id, rota_id, alarm_group_id, escalation_policy_id,
          alarm_id, asset_id, dashboard_id)
        select ${organizationId}, kind, key, ${idOf('LOCATION')}, ${idOf('VARIABLE_FOLDER')},
          ${idOf('DEVICE')}, ${idOf('VARIABLE')}, ${idOf('WEBHOOK')}, ${idOf('ROTA')},
          ${idOf('ALARM_GROUP')}, ${idOf('ESCALATION_POLICY')}, ${idOf('ALARM')}, ${idOf('ASSET')}, ${idOf('DASHBOARD')}
        from json_to_recordset(${JSON.stringify(given)}) as given
          (kind text, key text, "resourceId" uuid)`,
  );
}
