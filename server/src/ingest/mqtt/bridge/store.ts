import { type Queries, run, sql } from '../../../storage/index.ts';

/** What the topic of a Device is made of. */
export interface DeviceAddress {
  readonly organizationId: string;
  readonly deviceId: string;
}

export interface DevicePage {
  readonly after: DeviceAddress;
  /** Devices of these partitions; null for all. */
  readonly partitions: readonly number[] | null;
  readonly max: number;
}

const COLUMNS = sql`organization_id as "organizationId", id as "deviceId"`;

/** Devices of all organizations, active or not, in the order of the primary key. */
export function listDevices(
  db: Queries,
  { after, partitions, max }: DevicePage,
): Promise<DeviceAddress[]> {
  const isIn =
    partitions === null ? sql`true` : sql`partition_of(id) = any(${partitions}::smallint[])`;
  return run(
    db,
    sql`select ${COLUMNS} from devices
        where (organization_id, id) > (${after.organizationId}::uuid, ${after.deviceId}::uuid)
          and ${isIn}
        order by organization_id, id limit ${max}`,
  );
}

/** Those of the Devices that exist. */
export function findDevices(
  db: Queries,
  devices: readonly DeviceAddress[],
): Promise<DeviceAddress[]> {
  const organizationIds = devices.map(({ organizationId }) => organizationId);
  const deviceIds = devices.map(({ deviceId }) => deviceId);
  return run(
    db,
    sql`select ${COLUMNS} from devices
        where (organization_id, id) in
          (select * from unnest(${organizationIds}::uuid[], ${deviceIds}::uuid[]))`,
  );
}
