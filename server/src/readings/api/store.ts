import type { VariableType } from '@fieldwatch/contract';
import { type Queries, run, sql } from '../../storage/index.ts';

export interface HistoryVariable {
  readonly id: string;
  readonly seriesId: number;
  readonly deviceId: string;
  readonly type: VariableType;
  readonly name: string;
  readonly unit: string | null;
  readonly deviceName: string;
}

export function findVariables(
  db: Queries,
  organizationId: string,
  ids: readonly string[],
): Promise<HistoryVariable[]> {
  return run(
    db,
    sql`select v.id, v.number as "seriesId", v.device_id as "deviceId", v.type, v.name, v.unit, d.name as "deviceName"
        from variables v join devices d on d.id = v.device_id
        where v.organization_id = ${organizationId} and v.id = any(${ids}::uuid[])`,
    { isPrepared: true },
  );
}
