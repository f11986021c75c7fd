import {
  MAX_SITE_CHANGES,
  MAX_SITE_VARIABLES_PER_CLASSIFICATION,
  SEVERITIES,
  type Severity,
  SITE_CLASSIFICATIONS,
  SITE_STATES,
  type SiteChangeKind,
  type SiteState,
} from '@fieldwatch/contract';
import { fold, isoDateTime } from '../../runtime/index.ts';
import {
  all,
  contains,
  type PageRequest,
  type Queries,
  run,
  type Sql,
  sql,
} from '../../storage/index.ts';

export interface SiteFilter {
  readonly search: string;
  /** None at all filter nothing. */
  readonly states: readonly SiteState[];
  readonly maySeeAlarms: boolean;
  /** Older changes are left out. */
  readonly changedSince: number;
}

interface NamedRow {
  readonly id: string;
  readonly name: string;
}

/** Times are epoch milliseconds. */
export interface SiteRow {
  readonly id: string;
  readonly name: string | null;
  readonly state: SiteState;
  readonly deviceCount: number;
  readonly onlineDeviceCount: number;
  readonly silentDeviceCount: number;
  readonly silentDevice: NamedRow | null;
  readonly silentSince: number | null;
  readonly alarmCount: number;
  readonly worstAlarm: {
    readonly eventId: string;
    readonly alarmName: string;
    readonly severity: Severity;
    readonly deviceName: string;
    readonly raisedAt: number;
    readonly isUnacknowledged: boolean;
  } | null;
  readonly variables: {
    readonly id: string;
    readonly classificationType: string;
    readonly unit: string | null;
  }[];
}

export interface ChangeRow {
  readonly kind: SiteChangeKind;
  readonly changedAt: number;
  readonly siteId: string;
  readonly siteName: string | null;
  readonly event: {
    readonly id: string;
    readonly alarmName: string;
    readonly severity: Severity;
    readonly deviceName: string;
  } | null;
  readonly deviceCount: number;
  readonly device: NamedRow | null;
}

export interface SitesRow {
  readonly count: number;
  readonly siteCount: number;
  readonly alarmSiteCount: number;
  readonly silentSiteCount: number;
  readonly deviceCount: number;
  readonly onlineDeviceCount: number;
  readonly silentDeviceCount: number;
  readonly alarmCount: number;
  readonly alarmCounts: { readonly severity: Severity; readonly count: number }[];
  readonly sites: readonly SiteRow[];
  readonly changes: readonly ChangeRow[];
}

/** Stands for the site of what has no Location, so that joins need no comparison with null. */
export const NO_SITE = '00000000-0000-0000-0000-000000000000';
const noSite = sql`'00000000-0000-0000-0000-000000000000'::uuid`;

/** The newest entries of the log that are searched for changes, however many an hour has. */
const MAX_LOG_ENTRIES = 500;

const epochMs = (time: Sql) => sql`(extract(epoch from ${time}) * 1000)::bigint`;

/** Each Location with its site: the one above it that has no parent. Locations have no loops. */
const tree = (organizationId: string) => sql`tree as (
  select id, id as site_id from locations
  where organization_id = ${organizationId} and parent_id is null
  union all
  select below.id, tree.site_id from tree join locations below
    on below.organization_id = ${organizationId} and below.parent_id = tree.id)`;

const deviceCounts = (organizationId: string) => sql`located as materialized (
  select devices.id, name_folded as name, coalesce(site_id, ${noSite}) as site_id, is_active,
    is_active and is_online as is_online, is_active and not is_online as is_silent, last_seen_at,
    coalesce(online_changed_at, last_seen_at) as changed_at
  from devices left join tree on tree.id = devices.location_id
  where organization_id = ${organizationId} and archived_at is null),
device_counts as materialized (
  select site_id, count(*) as devices, count(*) filter (where is_online) as online,
    count(*) filter (where is_silent) as silent,
    min(changed_at) filter (where is_silent) as silent_since
  from located group by site_id),
silent_devices as (
  select distinct on (site_id) site_id, id as silent_device from located where is_silent
  order by site_id, last_seen_at desc nulls last, id)`;

/** An event belongs to the sites of its Device and its Assets, as they were when it was raised. */
const activeAlarms = (organizationId: string, maySeeAlarms: boolean) => sql`active as materialized (
  select id, severity, array_position(${SEVERITIES}::text[], severity) as rank, raised_at,
    location_ids
  from alarm_events
  where organization_id = ${organizationId} and cleared_at is null and ${maySeeAlarms}::boolean),
alarm_counts as materialized (
  select site_id, count(*) as alarms, max(rank) as rank,
    (array_agg(id order by rank desc, raised_at desc, id desc))[1] as worst
  from (
    select distinct active.*, coalesce(located.site_id, ${noSite}) as site_id
    from active left join lateral (select tree.site_id
      from unnest(active.location_ids) as at (id) join tree on tree.id = at.id) located on true
  ) sited
  group by site_id)`;

/** Every site with its state. What has no Location is a site only if there is any. */
const sites = (organizationId: string) => sql`sites as materialized (
  select listed.id, name, name_folded, coalesce(devices, 0) as devices,
    coalesce(online, 0) as online, coalesce(silent, 0) as silent, silent_since, silent_device,
    coalesce(alarms, 0) as alarms, coalesce(rank, 0) as rank, worst,
    case when alarms > 0 then 'ALARM' when silent > 0 then 'SILENT' when devices > 0 then 'NORMAL'
      else 'NO_DEVICES' end as state
  from (
    select id, name, name_folded from locations
    where organization_id = ${organizationId} and parent_id is null
    union all
    select site_id, null, '' from device_counts where site_id = ${noSite}
    union
    select site_id, null, '' from alarm_counts where site_id = ${noSite}
  ) listed
  left join device_counts on device_counts.site_id = listed.id
  left join silent_devices on silent_devices.site_id = listed.id
  left join alarm_counts on alarm_counts.site_id = listed.id)`;

const found = ({ search, states }: SiteFilter) => sql`found as materialized (
  select * from sites where ${all([
    contains(sql`name_folded`, fold(search)),
    states.length === 0 ? undefined : sql`state = any(${states})`,
  ])})`;

const paged = ({ skip, take }: PageRequest) => sql`paged as materialized (
  select *, row_number() over (order by array_position(${SITE_STATES}::text[], state), rank desc,
    name_folded, id) as position
  from found
  order by position limit ${take} offset ${skip})`;

const deviceJson = (organizationId: string, id: Sql) => sql`(
  select json_build_object('id', id, 'name', name) from devices
  where organization_id = ${organizationId} and id = ${id})`;

const worstJson = (organizationId: string) => sql`(
  select json_build_object('eventId', id, 'alarmName', alarm_name, 'severity', severity,
    'deviceName', device_name, 'raisedAt', ${epochMs(sql`raised_at`)},
    'isUnacknowledged', is_acknowledgeable and acknowledged_at is null)
  from alarm_events where organization_id = ${organizationId} and id = paged.worst)`;

/**
 * Variables are read by classification, all at once: looking them up by Device reads every Variable
 * of a large site.
 */
const siteVariables = (organizationId: string) => sql`classified as materialized (
  select id, device_id, classification_type, unit from variables
  where organization_id = ${organizationId} and classification_type is not null
    and classification_type = any(${SITE_CLASSIFICATIONS})),
site_variables as (
  select site_id, json_agg(json_build_object('id', id, 'classificationType', classification_type,
    'unit', unit) order by array_position(${SITE_CLASSIFICATIONS}::text[], classification_type),
    device_name, id) as variables
  from (
    select located.site_id, classified.*, located.name as device_name,
      count(*) over (partition by located.site_id, classification_type) as alike
    from classified join located on located.id = classified.device_id and located.is_active
    where located.site_id in (select id from paged)
  ) counted
  where alike <= ${MAX_SITE_VARIABLES_PER_CLASSIFICATION}::int and site_id <> ${noSite}
  group by site_id)`;

const sitesJson = (organizationId: string) => sql`(
  select coalesce(json_agg(json_build_object('id', id, 'name', name, 'state', state,
    'deviceCount', devices, 'onlineDeviceCount', online, 'silentDeviceCount', silent,
    'silentDevice', ${deviceJson(organizationId, sql`paged.silent_device`)},
    'silentSince', ${epochMs(sql`silent_since`)},
    'alarmCount', alarms, 'worstAlarm', ${worstJson(organizationId)},
    'variables', coalesce(variables, '[]')) order by position), '[]')
  from paged left join site_variables on site_id = id)`;

/** The last change of each Alarm among the newest entries of the log: one that flaps is one change. */
const alarmChanges = (organizationId: string, filter: SiteFilter) => sql`alarm_changes as (
  select kind, changed_at, coalesce((select tree.site_id
      from unnest(location_ids) as at (id) join tree on tree.id = at.id limit 1), ${noSite})
      as site_id,
    json_build_object('id', id, 'alarmName', alarm_name, 'severity', severity,
      'deviceName', device_name) as event,
    0::bigint as devices, null::uuid as device
  from (
    select distinct on (alarm_id) kind, recorded_at as changed_at, alarm_events.* from (
      select number, event_id, kind, recorded_at from alarm_event_log
      where organization_id = ${organizationId} order by number desc limit ${MAX_LOG_ENTRIES}
    ) newest
    join alarm_events on organization_id = ${organizationId} and id = event_id
    where kind in ('RAISED', 'CLEARED') and recorded_at > ${isoDateTime(filter.changedSince)}
      and ${filter.maySeeAlarms}::boolean
    order by alarm_id, number desc
  ) last)`;

/** Devices by site: an outage of a site is one change, not hundreds. */
const deviceChanges = (organizationId: string, filter: SiteFilter) => sql`device_changes as (
  select case when is_online then 'CAME_ONLINE' else 'WENT_SILENT' end as kind,
    max(online_changed_at) as changed_at, coalesce(site_id, ${noSite}) as site_id,
    null::json as event, count(*) as devices,
    (array_agg(devices.id order by online_changed_at desc, devices.id))[1] as device
  from devices left join tree on tree.id = devices.location_id
  where organization_id = ${organizationId} and archived_at is null and is_active
    and online_changed_at > ${isoDateTime(filter.changedSince)}
  group by is_online, 3)`;

const changesJson = (organizationId: string) => sql`(
  select coalesce(json_agg(json_build_object('kind', kind,
    'changedAt', ${epochMs(sql`changed_at`)}, 'siteId', site_id,
    'siteName', (select name from locations
      where organization_id = ${organizationId} and id = changed.site_id),
    'event', event, 'deviceCount', devices,
    'device', ${deviceJson(organizationId, sql`changed.device`)})
    order by changed_at desc), '[]')
  from (select * from alarm_changes union all select * from device_changes
    order by changed_at desc limit ${MAX_SITE_CHANGES}) changed)`;

/** One statement, so that sites, totals and changes are of one snapshot and agree with each other. */
export async function listSites(
  db: Queries,
  organizationId: string,
  filter: SiteFilter,
  request: PageRequest,
): Promise<SitesRow> {
  const [row] = await run<SitesRow>(
    db,
    sql`with recursive ${tree(organizationId)}, ${deviceCounts(organizationId)},
        ${activeAlarms(organizationId, filter.maySeeAlarms)}, ${sites(organizationId)},
        ${found(filter)}, ${paged(request)}, ${siteVariables(organizationId)},
        ${alarmChanges(organizationId, filter)},
        ${deviceChanges(organizationId, filter)}
        select (select count(*) from found) as count,
          count(*) filter (where id <> ${noSite}) as "siteCount",
          count(*) filter (where id <> ${noSite} and state = 'ALARM') as "alarmSiteCount",
          count(*) filter (where id <> ${noSite} and state = 'SILENT') as "silentSiteCount",
          coalesce(sum(devices), 0)::bigint as "deviceCount",
          coalesce(sum(online), 0)::bigint as "onlineDeviceCount",
          coalesce(sum(silent), 0)::bigint as "silentDeviceCount",
          (select count(*) from active) as "alarmCount",
          (select coalesce(json_agg(json_build_object('severity', severity, 'count', alarms)
             order by rank desc), '[]')
           from (select severity, rank, count(*) as alarms from active group by 1, 2) counted)
            as "alarmCounts",
          ${sitesJson(organizationId)} as sites, ${changesJson(organizationId)} as changes
        from sites`,
    { isPrepared: true },
  );
  if (!row) throw new Error('a count returned no row');
  return row;
}
