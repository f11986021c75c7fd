import type { VariableType } from '@fieldwatch/contract';
import { type Queries, run, sql } from '../../storage/index.ts';

export interface ExposedVariable {
  readonly id: string;
  readonly seriesId: number;
  readonly deviceId: string;
  readonly type: VariableType;
  readonly device: string;
  readonly onlineMinutes: number | null;
  readonly variable: string;
  readonly path: string;
  readonly unit: string | null;
  readonly classification: string | null;
  readonly asset: string | null;
  readonly location: string | null;
}

export interface Selection {
  /** Null selects all. */
  readonly assetIds: readonly string[] | null;
  readonly classificationTypes: readonly string[] | null;
}

/** The Variables of active Devices, in a fixed order; the names of several Assets are joined. */
export function listExposed(
  db: Queries,
  organizationId: string,
  { assetIds, classificationTypes }: Selection,
  max: number,
): Promise<ExposedVariable[]> {
  return run<ExposedVariable>(
    db,
    sql`select v.id, v.number as "seriesId", v.device_id as "deviceId", v.type, d.name as device,
          coalesce(d.online_minutes, d.learned_online_minutes) as "onlineMinutes", v.name as variable,
          v.topic_property_path as path, v.unit, v.classification_type as classification,
          (select string_agg(a.name, ', ' order by a.name)
           from asset_variables b join assets a
             on a.organization_id = b.organization_id and a.id = b.asset_id
           where b.organization_id = v.organization_id and b.variable_id = v.id) as asset,
          l.name as location
        from variables v
        join devices d on d.organization_id = v.organization_id and d.id = v.device_id
        left join locations l on l.organization_id = d.organization_id and l.id = d.location_id
        where v.organization_id = ${organizationId} and d.archived_at is null and d.is_active
          and (${classificationTypes}::text[] is null
            or v.classification_type = any(${classificationTypes}::text[]))
          and (${assetIds}::uuid[] is null or exists (
            select from asset_variables b where b.organization_id = v.organization_id
              and b.variable_id = v.id and b.asset_id = any(${assetIds}::uuid[])))
        order by v.id
        limit ${max}`,
  );
}
