import type { VariableType } from '@fieldwatch/contract';
import { type Queries, run, sql } from '../../storage/index.ts';

/** A Device with its Variables, found by the id of the Device alone: a message names no more. */
export interface CachedDeviceRow {
  readonly deviceId: string;
  readonly organizationId: string;
  readonly parentDeviceId: string | null;
  readonly isActive: boolean;
  readonly archivedAt: number | null;
  readonly passwordHash: string;
  readonly variables: readonly {
    readonly seriesId: number;
    readonly id: string;
    readonly type: VariableType;
    readonly isLoggingEnabled: boolean;
    readonly path: string;
  }[];
}

/** The Devices that exist, in any order. */
export function findDevices(db: Queries, deviceIds: readonly string[]): Promise<CachedDeviceRow[]> {
  return run(
    db,
    // A subquery for each Device: the planner might choose to read all Variables for a join.
    sql`select devices.id as "deviceId", devices.organization_id as "organizationId",
          devices.parent_device_id as "parentDeviceId", devices.is_active as "isActive",
          devices.archived_at as "archivedAt", devices.password_hash as "passwordHash",
          coalesce((
            select json_agg(json_build_object('seriesId', number, 'id', id, 'type', type,
              'isLoggingEnabled', is_logging_enabled, 'path', topic_property_path))
            from variables
            where variables.organization_id = devices.organization_id
              and variables.device_id = devices.id and not variables.is_built_in), '[]') as variables
        from devices where devices.id = any(${deviceIds}::uuid[])`,
  );
}
