import type { VariableType } from '@fieldwatch/contract';
import { type Queries, run, sql } from '../../storage/index.ts';

/** A Device with its Variables. Its id alone names it: a message carries no more. */
export interface EntryRow {
  readonly organizationId: string;
  readonly parentDeviceId: string | null;
  readonly isActive: boolean;
  readonly archivedAt: number | null;
  readonly passwordHash: string;
  readonly variables: readonly {
    readonly number: number;
    readonly id: string;
    readonly type: VariableType;
    readonly isLoggingEnabled: boolean;
    readonly path: string;
  }[];
}

export async function findEntry(db: Queries, deviceId: string): Promise<EntryRow | null> {
  const [row] = await run<EntryRow>(
    db,
    sql`select devices.organization_id as "organizationId",
          devices.parent_device_id as "parentDeviceId", devices.is_active as "isActive",
          devices.archived_at as "archivedAt", devices.password_hash as "passwordHash",
          coalesce(json_agg(json_build_object('number', variables.number, 'id', variables.id,
            'type', variables.type, 'isLoggingEnabled', variables.is_logging_enabled,
            'path', variables.topic_property_path)) filter (where variables.id is not null), '[]')
            as variables
        from devices left join variables
          on variables.organization_id = devices.organization_id
          and variables.device_id = devices.id
        where devices.id = ${deviceId}
        group by devices.organization_id, devices.id`,
  );
  return row ?? null;
}
