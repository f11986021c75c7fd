import type { VariableSort, VariableType } from '@fieldwatch/contract';
import { fold, isoDateTime } from '../runtime/index.ts';
import {
  all,
  among,
  anyOf,
  contains,
  containsEach,
  type Page,
  type PageRequest,
  page,
  type Queries,
  rowsOf,
  run,
  type Sql,
  saved,
  sql,
  type Transaction,
  violates,
} from '../storage/index.ts';
import type { VariableFields } from './edit.ts';
import type { FoundVariableRow, VariableRow } from './variable.ts';

/** The columns of a `VariableRow`, from `variables` under its own name in any join. */
export const VARIABLE_COLUMNS = sql`variables.id, variables.device_id as "deviceId",
  variables.topic_property_path as "topicPropertyPath", variables.type, variables.name,
  variables.description, variables.unit, variables.is_logging_enabled as "isLoggingEnabled",
  variables.classification_type as "classificationType", variables.folder_id as "folderId",
  variables.created_at as "createdAt", variables.updated_at as "updatedAt", variables.revision,
  variables.is_built_in as "isBuiltIn"`;

export interface VariableFilter {
  readonly search: string;
  readonly deviceIds: readonly string[];
  readonly assetIds: readonly string[];
  readonly folderIds: readonly string[];
}

function isBoundTo(organizationId: string, assetIds: readonly string[]): Sql | undefined {
  const assets = among(sql`asset_id`, assetIds);
  return (
    assets &&
    sql`id in (select variable_id from asset_variables
               where organization_id = ${organizationId} and ${assets})`
  );
}

export const { find: findVariable, lock: lockVariable } = rowsOf<VariableRow>(
  'variables',
  VARIABLE_COLUMNS,
);

export function listVariables(
  db: Queries,
  organizationId: string,
  { search, deviceIds, assetIds, folderIds }: VariableFilter,
  request: PageRequest,
): Promise<Page<VariableRow>> {
  const where = all([
    sql`organization_id = ${organizationId}`,
    sql`not is_built_in`,
    among(sql`device_id`, deviceIds),
    isBoundTo(organizationId, assetIds),
    among(sql`folder_id`, folderIds),
  ]);
  const found = contains(sql`name_folded`, fold(search));
  return page(
    db,
    { columns: VARIABLE_COLUMNS, from: sql`variables`, where, search: found },
    request,
  );
}

export interface VariableSearch {
  readonly search: string;
  readonly ids: readonly string[];
  readonly deviceIds: readonly string[];
  readonly folderIds: readonly string[];
  readonly sortBy: VariableSort;
  readonly isDescending: boolean;
}

/** The order of the found Variables; the id makes it total. */
function foundOrder({ sortBy, isDescending }: VariableSearch): Sql {
  if (sortBy === 'NAME') {
    return isDescending
      ? sql`found.name desc, found.device_name desc, found.id desc`
      : sql`found.name, found.device_name, found.id`;
  }
  if (sortBy === 'CREATED') {
    return isDescending
      ? sql`found.created_at desc, found.id desc`
      : sql`found.created_at, found.id`;
  }
  if (sortBy === 'DEVICE') {
    return isDescending
      ? sql`found.device_name desc, found.name desc, found.id desc`
      : sql`found.device_name, found.name, found.id`;
  }
  return sql`found.rank, found.device_name, found.name, found.id`;
}

const SEARCHED = sql`(variables
  join devices on devices.organization_id = variables.organization_id
    and devices.id = variables.device_id
  left join locations on locations.organization_id = devices.organization_id
    and locations.id = devices.location_id)`;

/**
 * A page of Variables with their Devices and Locations. Every word of the search is part of one of the
 * three names. Exact matches of the whole search are first, then names that begin with it.
 */
export async function searchVariables(
  db: Queries,
  organizationId: string,
  filter: VariableSearch,
  { skip, take }: PageRequest,
): Promise<Page<FoundVariableRow>> {
  const { search, ids, deviceIds, folderIds } = filter;
  const words = fold(search)
    .split(/\s+/)
    .filter((word) => word !== '');
  const whole = words.join(' ');
  const label = sql`(devices.name_folded || ' ' || variables.name_folded)`;
  const where = all([
    sql`variables.organization_id = ${organizationId}`,
    sql`not variables.is_built_in`,
    containsEach(sql`(${label} || ' ' || coalesce(locations.name_folded, ''))`, words),
    among(sql`variables.id`, ids),
    among(sql`variables.device_id`, deviceIds),
    among(sql`variables.folder_id`, folderIds),
  ]);
  // The names alone are sorted, and whole rows read for the page only.
  const rows = await run<FoundVariableRow & { count: number }>(
    db,
    sql`with found as materialized (
        select variables.id, devices.name_folded as device_name, variables.name_folded as name,
          variables.created_at,
          case
            when ${whole}::text in (variables.name_folded, devices.name_folded, ${label}) then 0
            when starts_with(variables.name_folded, ${whole}) or starts_with(${label}, ${whole})
              then 1
            else 2
          end as rank
        from ${SEARCHED} where ${where}),
      page as (
        select found.id, row_number() over (order by ${foundOrder(filter)}) as position
        from found order by ${foundOrder(filter)} limit ${take} offset ${skip})
      select ${VARIABLE_COLUMNS}, devices.name as "deviceName",
        devices.location_id as "locationId", locations.name as "locationName", total.count
      from (select count(*) from found) total, page
      join ${SEARCHED} on variables.organization_id = ${organizationId} and variables.id = page.id
      order by page.position`,
    { isPrepared: true },
  );
  const [first] = rows;
  if (first || skip === 0) return { count: first?.count ?? 0, rows };
  const counted = await run<{ count: number }>(
    db,
    sql`select count(*) from ${SEARCHED} where ${where}`,
  );
  return { count: counted[0]?.count ?? 0, rows };
}

export function listDeviceVariables(
  db: Queries,
  organizationId: string,
  { deviceId, search }: { readonly deviceId: string; readonly search: string },
  request: PageRequest,
): Promise<Page<VariableRow>> {
  const where = sql`organization_id = ${organizationId} and device_id = ${deviceId}
    and not is_built_in`;
  const folded = fold(search);
  const found = anyOf([
    contains(sql`name_folded`, folded),
    contains(sql`topic_property_path_folded`, folded),
    contains(sql`description_folded`, folded),
  ]);
  return page(
    db,
    { columns: VARIABLE_COLUMNS, from: sql`variables`, where, search: found },
    request,
  );
}

export async function hasDevice(db: Queries, organizationId: string, id: string): Promise<boolean> {
  const rows = await run(
    db,
    sql`select 1 from devices where organization_id = ${organizationId} and id = ${id}`,
  );
  return rows.length > 0;
}

/** Whether there is such a Device; it is kept from being deleted until the transaction ends. */
export async function holdDevice(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<boolean> {
  const rows = await run(
    tx,
    sql`select 1 from devices
        where organization_id = ${organizationId} and id = ${id} for key share`,
  );
  return rows.length > 0;
}

export interface NewVariable extends VariableFields {
  readonly id: string;
  readonly deviceId: string;
  readonly topicPropertyPath: string;
  readonly type: VariableType;
  readonly now: number;
}

/** The row, or null when another Variable of the Device has its path. */
export async function insertVariable(
  tx: Transaction,
  organizationId: string,
  variable: NewVariable,
): Promise<VariableRow | null> {
  const { id, deviceId, topicPropertyPath, name, description } = variable;
  const at = isoDateTime(variable.now);
  try {
    return await saved(
      run<VariableRow>(
        tx,
        sql`insert into variables (organization_id, id, device_id, topic_property_path,
            topic_property_path_folded, type, name, name_folded, description, description_folded,
            unit, is_logging_enabled, classification_type, folder_id, created_at, updated_at)
          values (${organizationId}, ${id}, ${deviceId}, ${topicPropertyPath},
            ${fold(topicPropertyPath)}, ${variable.type}, ${name}, ${fold(name)}, ${description},
            ${foldOrNull(description)}, ${variable.unit}, ${variable.isLoggingEnabled},
            ${variable.classificationType}, ${variable.folderId}, ${at}, ${at})
          returning ${VARIABLE_COLUMNS}`,
      ),
    );
  } catch (error) {
    if (violates(error, 'variables_path_unique')) return null;
    throw error;
  }
}

function foldOrNull(text: string | null): string | null {
  return text === null ? null : fold(text);
}

export async function updateVariable(
  tx: Transaction,
  organizationId: string,
  id: string,
  fields: VariableFields,
  now: number,
): Promise<VariableRow> {
  const { name, description } = fields;
  return saved(
    run<VariableRow>(
      tx,
      sql`update variables set name = ${name}, name_folded = ${fold(name)},
          description = ${description}, description_folded = ${foldOrNull(description)},
          unit = ${fields.unit}, is_logging_enabled = ${fields.isLoggingEnabled},
          classification_type = ${fields.classificationType}, folder_id = ${fields.folderId},
          updated_at = ${isoDateTime(now)}, revision = revision + 1
        where organization_id = ${organizationId} and id = ${id} returning ${VARIABLE_COLUMNS}`,
    ),
  );
}

/** Answers with the key under which its history is kept. */
export async function deleteVariable(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<number[]> {
  const rows = await run<{ seriesId: number }>(
    tx,
    sql`delete from variables where organization_id = ${organizationId} and id = ${id}
        returning number as "seriesId"`,
  );
  return rows.map(({ seriesId }) => seriesId);
}
