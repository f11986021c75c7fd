import Type, { type Static } from 'typebox';
import { ALARM_OPERATORS, SEVERITIES } from './alarms.ts';
import { ASSET_TYPES } from './assets.ts';
import { operation, type Sent, shareLink, userOnly } from './operation.ts';
import type { FieldError } from './problem.ts';
import { LatestValues, listManyReadings, ReadingValue } from './readings.ts';
import { closed, DateTime, Id, listOf, name, nullable, oneOf, paging, text } from './schema.ts';
import { classificationType, VARIABLE_TYPES } from './variables.ts';
import { DashboardConfiguration } from './widgets.ts';

/** The prefix of the secret of a share link, by which scanners for leaked secrets know it. */
export const SHARE_SECRET_PREFIX = 'fwshare_';

const fields = {
  id: Id,
  name: name(1, 100),
  locationId: nullable({ ...Id, description: 'The site that a template shows' }),
  assetId: nullable({ ...Id, description: 'The Asset that a template shows' }),
  expiresDateTime: nullable(DateTime),
  createdDateTime: DateTime,
  createdBy: Type.String({ description: 'The email of the user who created it' }),
};

export const ShareLink = Type.Object(fields, closed);

export type ShareLink = Static<typeof ShareLink>;

export const IssuedShareLink = Type.Object(
  {
    ...fields,
    secret: Type.String({
      description:
        'Never shown again. The console reads it from the fragment of `/shared#<secret>`',
    }),
  },
  closed,
);

const path = '/primary/v1/{organizationId}/dashboards/{dashboardId}/share-links';
const managing = { tag: 'Dashboards', access: userOnly('WriteDashboards') } as const;

export const listShareLinks = operation({
  ...managing,
  id: 'listShareLinks',
  method: 'GET',
  path,
  summary: 'List the share links of a Dashboard, newest first',
  effect: 'read',
  query: Type.Object(paging, closed),
  reply: { status: 200, description: 'A page of share links', body: listOf(ShareLink) },
});

function targetErrors({ body }: Sent): FieldError[] {
  const { locationId, assetId } = Object(body) as Record<string, unknown>;
  if (locationId === undefined || assetId === undefined) return [];
  return [{ path: 'assetId', message: 'has no meaning together with locationId' }];
}

export const createShareLink = operation({
  ...managing,
  id: 'createShareLink',
  method: 'POST',
  path,
  summary:
    'Create a link that shows the published version of one Dashboard to anyone who has it; only this reply contains the secret',
  effect: 'write',
  body: Type.Object(
    {
      name: fields.name,
      expiresDateTime: Type.Optional(nullable(DateTime)),
      locationId: Type.Optional(Id),
      assetId: Type.Optional(Id),
    },
    closed,
  ),
  check: targetErrors,
  reply: {
    holdsSecrets: true,
    status: 201,
    description: 'The share link with its secret',
    body: IssuedShareLink,
    tagged: true,
  },
  failures: ['CONFLICT'],
});

export const retrieveShareLink = operation({
  ...managing,
  id: 'retrieveShareLink',
  method: 'GET',
  path: `${path}/{shareLinkId}`,
  summary: 'Retrieve a share link, without its secret',
  effect: 'read',
  reply: { status: 200, description: 'The share link', body: ShareLink, tagged: true },
});

export const revokeShareLink = operation({
  ...managing,
  id: 'revokeShareLink',
  method: 'DELETE',
  path: `${path}/{shareLinkId}`,
  summary: 'Revoke a share link at once',
  effect: 'write',
  reply: { status: 204, description: 'The share link is revoked', tagged: true },
});

const SharedVariable = Type.Object(
  {
    id: Id,
    name: text(2, 100),
    type: oneOf(VARIABLE_TYPES),
    unit: nullable(text(1, 9)),
    classificationType: nullable(classificationType),
    deviceId: Id,
    deviceName: Type.String(),
  },
  closed,
);

const SharedAsset = Type.Object(
  {
    id: Id,
    name: text(2, 100),
    classificationType: oneOf(ASSET_TYPES),
    locationId: nullable(Id),
    variableIds: Type.Array(Id),
  },
  closed,
);

const SharedLocation = Type.Object(
  {
    id: Id,
    name: Type.String(),
    latitude: nullable(Type.Number()),
    longitude: nullable(Type.Number()),
  },
  closed,
);

const SharedThreshold = Type.Object(
  {
    variableId: Id,
    alarmName: Type.String(),
    operator: oneOf(ALARM_OPERATORS),
    value: ReadingValue,
    severity: oneOf(SEVERITIES),
  },
  closed,
);

export const SharedDashboard = Type.Object(
  {
    name: name(1, 100),
    refreshIntervalSeconds: Type.Integer({ minimum: 1 }),
    expiresDateTime: nullable(DateTime),
    configuration: DashboardConfiguration,
    variables: Type.Array(SharedVariable, { description: 'The Variables that it shows' }),
    assets: Type.Array(SharedAsset),
    locations: Type.Array(SharedLocation),
    thresholds: Type.Array(SharedThreshold, { description: 'Of enabled Alarms on its Variables' }),
    revision: Type.String({ description: 'Another one when anything of this reply has changed' }),
  },
  closed,
);

export type SharedDashboard = Static<typeof SharedDashboard>;

const SharedAlarm = Type.Object(
  {
    id: Id,
    alarmName: Type.String(),
    severity: oneOf(SEVERITIES),
    variableId: Id,
    assetIds: Type.Array(Id),
    raisedDateTime: DateTime,
    raisedValue: ReadingValue,
    isAcknowledged: Type.Boolean(),
  },
  closed,
);

export const SharedState = Type.Object(
  {
    revision: SharedDashboard.properties.revision,
    values: LatestValues.properties.items,
    alarms: Type.Array(SharedAlarm, { description: 'Active alarm events of its Variables' }),
  },
  closed,
);

export type SharedState = Static<typeof SharedState>;

const shared = { tag: 'Dashboards', access: shareLink, effect: 'read' } as const;

export const retrieveSharedDashboard = operation({
  ...shared,
  id: 'retrieveSharedDashboard',
  method: 'GET',
  path: '/primary/v1/shared/dashboard',
  summary: 'Retrieve the published version of the Dashboard of a share link',
  reply: { status: 200, description: 'The Dashboard', body: SharedDashboard },
  failures: ['NOT_FOUND'],
});

export const retrieveSharedState = operation({
  ...shared,
  id: 'retrieveSharedState',
  method: 'GET',
  path: '/primary/v1/shared/state',
  summary: 'Retrieve the latest values and active alarms of the Dashboard of a share link',
  reply: { status: 200, description: 'Values and alarms', body: SharedState },
  failures: ['NOT_FOUND'],
});

export const listSharedReadings = operation({
  ...shared,
  id: 'listSharedReadings',
  method: 'GET',
  path: '/primary/v1/shared/readings',
  summary: 'Query the history of Variables of the Dashboard of a share link',
  query: listManyReadings.query,
  check: listManyReadings.check,
  reply: {
    status: 200,
    description: 'As the reply of `listManyReadings`; Variables not on the Dashboard are ignored',
    body: listManyReadings.reply.body,
    columns: listManyReadings.reply.columns,
  },
  failures: ['NOT_FOUND'],
});
