import type { VariableType } from '@fieldwatch/contract';
import { type Queries, run, sql } from '../../storage/index.ts';

/** A Device with its Variables. Its id alone names it: a message carries no more. */
export interface EntryRow {
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

/** Those of the Devices that there are, in any order. */
export function findEntries(db: Queries, deviceIds: readonly string[]): Promise<EntryRow[]> {
  return run(
    db,
    // Variables are looked up Device by Device: a join might read all that there are.
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
