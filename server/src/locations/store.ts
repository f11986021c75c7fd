import { fold, isoDateTime, isUuid } from '../runtime/index.ts';
import {
  type Page,
  type PageRequest,
  type Queries,
  rowsOf,
  run,
  type Sql,
  saved,
  sql,
  type Transaction,
} from '../storage/index.ts';
import type { LocationRow } from './location.ts';

const COLUMNS = sql`id, name, description, address, latitude, longitude, parent_id as "parentId",
  time_zone as "timeZone", created_at as "createdAt", updated_at as "updatedAt", revision`;

/** What an edit may set. */
export type LocationFields = Omit<LocationRow, 'id' | 'createdAt' | 'updatedAt' | 'revision'>;

export interface LocationFilter {
  readonly search: string;
  readonly parentId: string | null;
}

function childOf(parentId: string | null): Sql | undefined {
  if (parentId === null) return undefined;
  return isUuid(parentId) ? sql`parent_id = ${parentId}` : sql`false`;
}

const rows = rowsOf<LocationRow>('locations', COLUMNS);

export const { find: findLocation, lock: lockLocation, remove: deleteLocation } = rows;

export function listLocations(
  db: Queries,
  organizationId: string,
  { search, parentId }: LocationFilter,
  request: PageRequest,
): Promise<Page<LocationRow>> {
  return rows.list(db, organizationId, { search, where: childOf(parentId) }, request);
}

export function insertLocation(
  tx: Transaction,
  organizationId: string,
  location: LocationFields & { readonly id: string; readonly now: number },
): Promise<LocationRow> {
  const at = isoDateTime(location.now);
  return saved(
    run(
      tx,
      sql`insert into locations (organization_id, id, name, name_folded, description, address,
            latitude, longitude, parent_id, time_zone, created_at, updated_at)
          values (${organizationId}, ${location.id}, ${location.name}, ${fold(location.name)},
            ${location.description}, ${location.address}, ${location.latitude},
            ${location.longitude}, ${location.parentId}, ${location.timeZone}, ${at}, ${at})
          returning ${COLUMNS}`,
    ),
  );
}

export function updateLocation(
  tx: Transaction,
  organizationId: string,
  id: string,
  fields: LocationFields,
  now: number,
): Promise<LocationRow> {
  return saved(
    run(
      tx,
      sql`update locations set name = ${fields.name}, name_folded = ${fold(fields.name)},
            description = ${fields.description}, address = ${fields.address},
            latitude = ${fields.latitude}, longitude = ${fields.longitude},
            parent_id = ${fields.parentId}, time_zone = ${fields.timeZone},
            updated_at = ${isoDateTime(now)}, revision = revision + 1
          where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}

export interface LocationPath {
  readonly locationId: string;
  /** From the outermost to the Location itself. */
  readonly names: readonly string[];
  /** Its own, or that of the nearest around it that has one. */
  readonly timeZone: string | null;
}

/** Where Locations are; each once, and none for one that is gone. */
export function listLocationPaths(
  db: Queries,
  locations: readonly { readonly organizationId: string; readonly locationId: string }[],
): Promise<LocationPath[]> {
  return run(
    db,
    sql`with recursive asked as (
          select distinct "organizationId", "locationId"
          from json_to_recordset(${JSON.stringify(locations)}) as given
            ("organizationId" uuid, "locationId" uuid)),
        path as (
          select asked.*, id, parent_id, name, time_zone, 0 as depth
          from asked join locations on organization_id = "organizationId" and id = "locationId"
          union all
          select "organizationId", "locationId", parent.id, parent.parent_id, parent.name,
            parent.time_zone, depth + 1
          from path join locations parent
            on parent.organization_id = "organizationId" and parent.id = path.parent_id)
        select "locationId", array_agg(name order by depth desc) as names,
          (array_agg(time_zone order by depth) filter (where time_zone is not null))[1]
            as "timeZone"
        from path group by "organizationId", "locationId"`,
  );
}
