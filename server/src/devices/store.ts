import type { ArchivedScope, DeviceType } from '@fieldwatch/contract';
import { onlineVariableIdOf } from '../presence/index.ts';
import { fold, isoDateTime } from '../runtime/index.ts';
import {
  all,
  among,
  contains,
  inScope,
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
import type { CursorPosition } from './cursor.ts';
import type { DeviceRow } from './device.ts';

export const COLUMNS = sql`id, type, name, description, is_active as "isActive",
  last_seen_at as "lastSeenAt", is_online as "isOnline", online_minutes as "onlineMinutes",
  learned_online_minutes as "learnedOnlineMinutes", location_id as "locationId",
  parent_device_id as "parentDeviceId",
  gateway_eui as "gatewayEui", rf_region as "rfRegion", sub_band as "subBand",
  dev_eui as "devEui", app_eui as "appEui", sealed_app_key as "encryptedAppKey",
  archived_at as "archivedAt", created_at as "createdAt", updated_at as "updatedAt", revision`;

/** What an edit may set. */
export type DeviceFields = Omit<
  DeviceRow,
  | 'id'
  | 'type'
  | 'lastSeenAt'
  | 'isOnline'
  | 'onlineMinutes'
  | 'learnedOnlineMinutes'
  | 'archivedAt'
  | 'createdAt'
  | 'updatedAt'
  | 'revision'
>;

export interface DeviceFilter {
  readonly search: string;
  readonly types: readonly DeviceType[] | null;
  readonly parentDeviceId: string | null;
  readonly archivedScope: ArchivedScope;
}

function matching(organizationId: string, filter: Omit<DeviceFilter, 'search'>): Sql {
  const { types, parentDeviceId, archivedScope } = filter;
  return all([
    sql`organization_id = ${organizationId}`,
    inScope(archivedScope),
    types === null ? undefined : sql`type = any(${types})`,
    among(sql`parent_device_id`, parentDeviceId === null ? [] : [parentDeviceId]),
  ]);
}

function found(search: string): Sql | undefined {
  return contains(sql`name_folded`, fold(search));
}

export const {
  find: findDevice,
  lock: lockDevice,
  remove: deleteDevice,
} = rowsOf<DeviceRow>('devices', COLUMNS);

export function listDevices(
  db: Queries,
  organizationId: string,
  filter: DeviceFilter,
  request: PageRequest,
): Promise<Page<DeviceRow>> {
  const where = matching(organizationId, filter);
  const search = found(filter.search);
  return page(db, { columns: COLUMNS, from: sql`devices`, where, search }, request);
}

/** At most `limit` Devices that come behind the position, newest first. */
export function listDevicesBehind(
  db: Queries,
  organizationId: string,
  behind: CursorPosition | undefined,
  { search, limit }: { readonly search: string; readonly limit: number },
): Promise<DeviceRow[]> {
  const where = all([
    matching(organizationId, { types: null, parentDeviceId: null, archivedScope: 'active' }),
    found(search),
    behind && sql`(created_at, id) < (${isoDateTime(behind.createdAt)}, ${behind.id})`,
  ]);
  return run(
    db,
    sql`select ${COLUMNS} from devices where ${where} order by created_at desc, id desc limit ${limit}`,
  );
}

export interface NewDevice extends DeviceFields {
  readonly id: string;
  readonly type: DeviceType;
  readonly passwordHash: string;
  readonly now: number;
}

/** The row, or the configuration field whose value another Device holds. */
export type Saved = DeviceRow | { readonly taken: 'gatewayEui' | 'devEui' };

async function savedUnlessTaken(statement: Promise<DeviceRow[]>): Promise<Saved> {
  try {
    return await saved(statement);
  } catch (error) {
    if (violates(error, 'devices_gateway_eui_unique')) return { taken: 'gatewayEui' };
    if (violates(error, 'devices_dev_eui_unique')) return { taken: 'devEui' };
    throw error;
  }
}

export function insertDevice(
  tx: Transaction,
  organizationId: string,
  device: NewDevice,
): Promise<Saved> {
  const at = isoDateTime(device.now);
  return savedUnlessTaken(
    run(
      tx,
      sql`insert into devices (organization_id, id, type, name, name_folded, description, is_active,
            location_id, parent_device_id, gateway_eui, rf_region, sub_band, dev_eui, app_eui,
            sealed_app_key, password_hash, created_at, updated_at)
          values (${organizationId}, ${device.id}, ${device.type}, ${device.name},
            ${fold(device.name)}, ${device.description}, ${device.isActive}, ${device.locationId},
            ${device.parentDeviceId}, ${device.gatewayEui}, ${device.rfRegion}, ${device.subBand},
            ${device.devEui}, ${device.appEui}, ${device.encryptedAppKey}, ${device.passwordHash},
            ${at}, ${at})
          returning ${COLUMNS}`,
    ),
  );
}

/** The one Variable that a Device brings with it. */
export async function insertOnlineVariable(
  tx: Transaction,
  organizationId: string,
  deviceId: string,
  now: number,
): Promise<void> {
  const at = isoDateTime(now);
  await run(
    tx,
    sql`insert into variables (organization_id, id, device_id, topic_property_path,
          topic_property_path_folded, type, name, name_folded, is_logging_enabled, is_built_in,
          created_at, updated_at)
        values (${organizationId}, ${onlineVariableIdOf(deviceId)}, ${deviceId}, 'isOnline',
          'isonline', 'BOOLEAN', 'Online', 'online', true, true, ${at}, ${at})`,
  );
}

export function updateDevice(
  tx: Transaction,
  organizationId: string,
  id: string,
  fields: DeviceFields,
  now: number,
): Promise<Saved> {
  return savedUnlessTaken(
    run(
      tx,
      sql`update devices set name = ${fields.name}, name_folded = ${fold(fields.name)},
            description = ${fields.description}, is_active = ${fields.isActive},
            location_id = ${fields.locationId}, parent_device_id = ${fields.parentDeviceId},
            gateway_eui = ${fields.gatewayEui}, rf_region = ${fields.rfRegion},
            sub_band = ${fields.subBand}, dev_eui = ${fields.devEui}, app_eui = ${fields.appEui},
            sealed_app_key = ${fields.encryptedAppKey}, updated_at = ${isoDateTime(now)},
            revision = revision + 1
          where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}

export async function setArchived(
  tx: Transaction,
  organizationId: string,
  id: string,
  archivedAt: number | null,
  now: number,
): Promise<DeviceRow> {
  return saved(
    run<DeviceRow>(
      tx,
      sql`update devices set archived_at = ${archivedAt === null ? null : isoDateTime(archivedAt)},
          updated_at = ${isoDateTime(now)}, revision = revision + 1
        where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}

export async function setPasswordHash(
  tx: Transaction,
  organizationId: string,
  id: string,
  passwordHash: string,
): Promise<void> {
  await run(
    tx,
    sql`update devices set password_hash = ${passwordHash}
        where organization_id = ${organizationId} and id = ${id}`,
  );
}

export interface OnlineWindowRow {
  readonly deviceId: string;
  readonly onlineMinutes: number;
}

/** The Devices that have a window of their own. */
export function listOnlineWindows(
  db: Queries,
  organizationId: string,
  request: PageRequest,
): Promise<Page<OnlineWindowRow>> {
  return page<OnlineWindowRow>(
    db,
    {
      columns: sql`id as "deviceId", online_minutes as "onlineMinutes"`,
      from: sql`devices`,
      where: sql`organization_id = ${organizationId} and online_minutes is not null`,
      order: sql`id`,
    },
    request,
  );
}

export async function setOnlineMinutes(
  tx: Transaction,
  organizationId: string,
  id: string,
  onlineMinutes: number | null,
  now: number,
): Promise<DeviceRow> {
  return saved(
    run<DeviceRow>(
      tx,
      sql`update devices set online_minutes = ${onlineMinutes}, updated_at = ${isoDateTime(now)},
          revision = revision + 1
        where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}

/** The keys under which the history of its Variables is kept. */
export async function listSeriesIds(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<number[]> {
  const rows = await run<{ seriesId: number }>(
    tx,
    sql`select number as "seriesId" from variables where organization_id = ${organizationId} and device_id = ${id}`,
  );
  return rows.map(({ seriesId }) => seriesId);
}
