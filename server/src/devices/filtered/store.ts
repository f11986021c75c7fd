import type { ArchivedScope, DeviceSort, DeviceState, DeviceType } from '@fieldwatch/contract';
import { fold, isoDateTime, LAST_MOMENT_MS } from '../../runtime/index.ts';
import {
  all,
  among,
  anyOf,
  contains,
  inScope,
  type Page,
  type PageRequest,
  page,
  type Queries,
  type Sql,
  sql,
} from '../../storage/index.ts';
import type { DeviceRow } from '../device.ts';
import { COLUMNS } from '../store.ts';

export interface FilteredSearch {
  readonly search: string;
  readonly types: readonly DeviceType[];
  readonly states: readonly DeviceState[];
  readonly locationIds: readonly string[];
  readonly parentDeviceIds: readonly string[];
  readonly lastSeenBefore: number | null;
  readonly lastSeenAfter: number | null;
  readonly archivedScope: ArchivedScope;
  readonly sortBy: DeviceSort;
  readonly isDescending: boolean;
}

/** A Device has exactly one state. The overview counts by the same terms. */
function inState(state: DeviceState): Sql {
  if (state === 'INACTIVE') return sql`not is_active`;
  if (state === 'ONLINE') return sql`(is_active and is_online)`;
  return state === 'OFFLINE'
    ? sql`(is_active and not is_online and last_seen_at is not null)`
    : sql`(is_active and not is_online and last_seen_at is null)`;
}

/** At one of the Locations, or at one below them. Locations have no loops. */
function locatedAt(organizationId: string, locationIds: readonly string[]): Sql | undefined {
  const given = among(sql`id`, locationIds);
  return (
    given &&
    sql`location_id in (
      with recursive covered as (
        select id from locations where organization_id = ${organizationId} and ${given}
        union
        select below.id from covered join locations below
          on below.organization_id = ${organizationId} and below.parent_id = covered.id)
      select id from covered)`
  );
}

const time = (ms: number) => isoDateTime(Math.min(ms, LAST_MOMENT_MS));

function matching(organizationId: string, filter: FilteredSearch): Sql {
  const { types, states, lastSeenBefore, lastSeenAfter } = filter;
  return all([
    sql`organization_id = ${organizationId}`,
    inScope(filter.archivedScope),
    types.length === 0 ? undefined : sql`type = any(${types})`,
    anyOf(states.map(inState)),
    locatedAt(organizationId, filter.locationIds),
    among(sql`parent_device_id`, filter.parentDeviceIds),
    lastSeenBefore === null ? undefined : sql`last_seen_at < ${time(lastSeenBefore)}`,
    lastSeenAfter === null ? undefined : sql`last_seen_at > ${time(lastSeenAfter)}`,
  ]);
}

/** The id makes every order total. */
function orderOf({ sortBy, isDescending }: FilteredSearch): Sql {
  if (sortBy === 'NAME') {
    return isDescending ? sql`name_folded desc, id desc` : sql`name_folded, id`;
  }
  if (sortBy === 'CREATED') {
    return isDescending ? sql`created_at desc, id desc` : sql`created_at, id`;
  }
  return isDescending
    ? sql`last_seen_at desc nulls last, id desc`
    : sql`last_seen_at nulls last, id`;
}

/** The same order by the names of the columns. */
function foundOrderOf({ sortBy, isDescending }: FilteredSearch): Sql {
  if (sortBy === 'NAME') {
    return isDescending ? sql`"nameFolded" desc, id desc` : sql`"nameFolded", id`;
  }
  if (sortBy === 'CREATED') {
    return isDescending ? sql`"createdAt" desc, id desc` : sql`"createdAt", id`;
  }
  return isDescending
    ? sql`"lastSeenAt" desc nulls last, id desc`
    : sql`"lastSeenAt" nulls last, id`;
}

/** A Device with the name that it is sorted by. */
interface FoundRow extends DeviceRow {
  readonly nameFolded: string;
}

export function searchDevices(
  db: Queries,
  organizationId: string,
  filter: FilteredSearch,
  request: PageRequest,
): Promise<Page<FoundRow>> {
  return page<FoundRow>(
    db,
    {
      columns: sql`${COLUMNS}, name_folded as "nameFolded"`,
      from: sql`devices`,
      where: matching(organizationId, filter),
      search: contains(sql`name_folded`, fold(filter.search)),
      order: orderOf(filter),
      foundOrder: foundOrderOf(filter),
    },
    request,
  );
}
