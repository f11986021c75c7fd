import Type, { type Static } from 'typebox';
import { SEVERITIES } from './alarms.ts';
import { anyCredential, operation } from './operation.ts';
import { closed, DateTime, filter, Id, nullable, oneOf, paging, search } from './schema.ts';
import { classificationType } from './variables.ts';

/** Worst first. A site is in the first of these states that applies to it. */
export const SITE_STATES = ['ALARM', 'SILENT', 'NORMAL', 'NO_DEVICES'] as const;

export type SiteState = (typeof SITE_STATES)[number];

/** Classifications of the Variables that describe the power supply of a site. */
export const SITE_CLASSIFICATIONS = [
  'ELECTRICAL_ATS_NORMAL_POSITION',
  'ELECTRICAL_ATS_EMERGENCY_POSITION',
  'ELECTRICAL_UTILITY_SUPPLYING_LOAD',
  'ELECTRICAL_GENERATOR_SUPPLYING_LOAD',
  'ELECTRICAL_GENERATOR_RUNNING',
  'ELECTRICAL_UTILITY_AVAILABLE',
  'ELECTRICAL_ATS_KW',
  'ELECTRICAL_UTILITY_KW',
  'ELECTRICAL_GENERATOR_KW',
  'ELECTRICAL_FEEDER_KW',
  'ELECTRICAL_GENERATOR_FUEL_LEVEL',
] as const;

/** A classification that a site has more Variables of is left out: no value could stand for all. */
export const MAX_SITE_VARIABLES_PER_CLASSIFICATION = 8;

export const SITE_CHANGES_HOURS = 1;
export const MAX_SITE_CHANGES = 20;

const SITE_CHANGE_KINDS = ['RAISED', 'CLEARED', 'WENT_SILENT', 'CAME_ONLINE'] as const;

export type SiteChangeKind = (typeof SITE_CHANGE_KINDS)[number];

const count = (description: string) => Type.Integer({ minimum: 0, description });

const siteId = nullable({ ...Id, description: 'Null for what has no Location' });
const siteName = nullable(Type.String());

const WorstAlarm = Type.Object(
  {
    eventId: Id,
    alarmName: Type.String(),
    severity: oneOf(SEVERITIES),
    deviceName: Type.String(),
    raisedDateTime: DateTime,
    isUnacknowledged: Type.Boolean({ description: 'Whether it can still be acknowledged' }),
  },
  closed,
);

export const Site = Type.Object(
  {
    id: siteId,
    name: siteName,
    state: oneOf(SITE_STATES),
    deviceCount: count('Devices of the site that are not archived'),
    onlineDeviceCount: count('Number of those that are online'),
    silentDeviceCount: count('Number of those that are active and not online'),
    silentDevice: {
      ...nullable(Type.Object({ id: Id, name: Type.String() }, closed)),
      description: 'The silent Device that was seen last',
    },
    silentSinceDateTime: {
      ...nullable(DateTime),
      description: 'Since when at least one of its Devices is silent; null if that is not known',
    },
    alarmCount: count('Active alarms; 0 without `ReadAlarmConfigurations`'),
    worstAlarm: {
      ...nullable(WorstAlarm),
      description: 'The most severe active alarm, the newest of several',
    },
    variables: Type.Array(
      Type.Object({ id: Id, classificationType, unit: nullable(Type.String()) }, closed),
      {
        description: `Variables that describe its power supply. A classification with more than ${MAX_SITE_VARIABLES_PER_CLASSIFICATION} of them is left out`,
      },
    ),
  },
  closed,
);

export type Site = Static<typeof Site>;

export const SiteChange = Type.Object(
  {
    kind: oneOf(SITE_CHANGE_KINDS),
    changedDateTime: DateTime,
    siteId,
    siteName,
    event: {
      ...nullable(
        Type.Object(
          {
            id: Id,
            alarmName: Type.String(),
            severity: oneOf(SEVERITIES),
            deviceName: Type.String(),
          },
          closed,
        ),
      ),
      description: 'The alarm event that was raised or cleared',
    },
    deviceCount: count('How many Devices of the site went silent or came online'),
    device: {
      ...nullable(Type.Object({ id: Id, name: Type.String() }, closed)),
      description: 'The last of these Devices',
    },
  },
  closed,
);

export type SiteChange = Static<typeof SiteChange>;

const SiteTotals = Type.Object(
  {
    siteCount: count(
      'All sites with a Location, whatever the filters; what has none is an item, and no site',
    ),
    alarmSiteCount: count('Number of those in the state ALARM'),
    silentSiteCount: count('Number of those in the state SILENT'),
    deviceCount: count('Devices that are not archived'),
    onlineDeviceCount: count('Number of those that are online'),
    silentDeviceCount: count('Number of those that are active and not online'),
    alarmCount: count('Active alarms; 0 without `ReadAlarmConfigurations`'),
    alarmCounts: Type.Array(
      Type.Object({ severity: oneOf(SEVERITIES), count: Type.Integer({ minimum: 1 }) }, closed),
      { description: 'Active alarms by severity, the most severe first' },
    ),
  },
  closed,
);

const SiteList = Type.Object(
  {
    count: Type.Integer({ minimum: 0, description: 'Total number of matching sites' }),
    items: Type.Array(Site),
    totals: SiteTotals,
    changes: Type.Array(SiteChange, {
      maxItems: MAX_SITE_CHANGES,
      description:
        'Changes of the last hour at all sites, newest first: the last one of each Alarm, and Devices by site',
    }),
  },
  closed,
);

export const listSites = operation({
  id: 'listSites',
  method: 'GET',
  path: '/primary/v1/{organizationId}/sites',
  tag: 'Organization',
  summary:
    'List sites, the worst first: Locations without a parent, each with all below it; alarms require `ReadAlarmConfigurations`',
  access: anyCredential,
  effect: 'read',
  query: Type.Object(
    {
      search: Type.Optional(search),
      states: Type.Optional(filter(oneOf(SITE_STATES))),
      ...paging,
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'A page of sites with totals and changes, all of one moment',
    body: SiteList,
  },
});
