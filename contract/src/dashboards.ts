import Type, { type Static } from 'typebox';
import { operation, permission, type Sent, userOnly } from './operation.ts';
import type { FieldError } from './problem.ts';
import {
  archivedScope,
  closed,
  DateTime,
  defaulted,
  Id,
  listOf,
  name,
  paging,
  search,
  text,
} from './schema.ts';
import { configurationErrors, DashboardConfiguration } from './widgets.ts';

const MAX_REFRESH_SECONDS = 3600;

const fields = {
  name: name(1, 100),
  isPublic: Type.Boolean({ description: 'Whether API keys can see it' }),
  refreshIntervalSeconds: Type.Integer({ minimum: 1, maximum: MAX_REFRESH_SECONDS }),
};

const listed = { id: Id, ...fields, updatedDateTime: DateTime };

/** As lists carry it. */
export const ListedDashboard = Type.Object(listed, closed);

export type ListedDashboard = Static<typeof ListedDashboard>;

export const Dashboard = Type.Object({ ...listed, configuration: DashboardConfiguration }, closed);

export type Dashboard = Static<typeof Dashboard>;

const comment = text(1, 500);

const published = {
  id: Id,
  version: Type.Integer({ minimum: 1, description: 'Counts from 1 within its Dashboard' }),
  comment,
  publishedBy: Type.String({ description: 'The email of the user who published it' }),
  publishedDateTime: DateTime,
};

/** An entry of the publish history. */
export const ListedDashboardVersion = Type.Object(published, closed);

export type ListedDashboardVersion = Static<typeof ListedDashboardVersion>;

export const DashboardVersion = Type.Object(
  { ...published, configuration: DashboardConfiguration },
  closed,
);

const path = '/primary/v1/{organizationId}/dashboards';
const onePath = `${path}/{dashboardId}` as const;
const historiesPath = `${onePath}/histories` as const;
const historyPath = `${historiesPath}/{historyId}` as const;
const tag = 'Dashboards';
const read = { tag, access: permission('ReadDashboards'), effect: 'read' } as const;
const write = { tag, access: userOnly('WriteDashboards'), effect: 'write' } as const;
const tagged = {
  status: 200,
  description: 'The Dashboard',
  body: Dashboard,
  tagged: true,
} as const;
const created = { ...tagged, status: 201 } as const;

function check({ body }: Sent): FieldError[] {
  const { configuration } = Object(body) as { configuration?: unknown };
  return configuration === undefined ? [] : configurationErrors('configuration', configuration);
}

export const listDashboards = operation({
  ...read,
  stage: 'Integrate',
  id: 'listDashboards',
  method: 'GET',
  path,
  summary: 'List Dashboards, newest first; an API key sees only public ones',
  query: Type.Object({ search: Type.Optional(search), archivedScope, ...paging }, closed),
  reply: { status: 200, description: 'A page of Dashboards', body: listOf(ListedDashboard) },
});

export const retrieveDashboard = operation({
  ...read,
  stage: 'Integrate',
  id: 'retrieveDashboard',
  method: 'GET',
  path: onePath,
  summary: 'Retrieve a Dashboard: a user sees the draft, an API key the last published version',
  reply: tagged,
});

export const listDashboardHistories = operation({
  ...read,
  stage: 'Integrate',
  id: 'listDashboardHistories',
  method: 'GET',
  path: historiesPath,
  summary: 'List the published versions of a Dashboard, newest first',
  query: Type.Object(paging, closed),
  reply: { status: 200, description: 'A page of versions', body: listOf(ListedDashboardVersion) },
});

export const retrieveDashboardHistory = operation({
  ...read,
  id: 'retrieveDashboardHistory',
  method: 'GET',
  path: historyPath,
  summary: 'Retrieve a published version with its configuration',
  reply: { status: 200, description: 'The version', body: DashboardVersion, tagged: true },
});

export const createDashboard = operation({
  ...write,
  id: 'createDashboard',
  method: 'POST',
  path,
  summary: 'Create a Dashboard',
  body: Type.Object(
    {
      name: fields.name,
      isPublic: defaulted(fields.isPublic, false),
      refreshIntervalSeconds: defaulted(fields.refreshIntervalSeconds, 30),
      configuration: defaulted(DashboardConfiguration, { version: 1, widgets: [] }),
    },
    closed,
  ),
  check,
  reply: created,
});

export const updateDashboard = operation({
  ...write,
  id: 'updateDashboard',
  method: 'PATCH',
  path: onePath,
  summary: 'Change a Dashboard; its configuration is the draft',
  body: Type.Object(
    {
      name: Type.Optional(fields.name),
      isPublic: Type.Optional(fields.isPublic),
      refreshIntervalSeconds: Type.Optional(fields.refreshIntervalSeconds),
      configuration: Type.Optional(DashboardConfiguration),
    },
    closed,
  ),
  check,
  reply: tagged,
  failures: ['CONFLICT'],
});

export const duplicateDashboard = operation({
  ...write,
  id: 'duplicateDashboard',
  method: 'POST',
  path: `${onePath}/duplicate`,
  summary: 'Copy a Dashboard to a new draft that is neither public nor published',
  body: Type.Object({ name: Type.Optional(fields.name) }, closed),
  bodyOptional: true,
  reply: created,
  failures: ['CONFLICT'],
});

export const archiveDashboard = operation({
  ...write,
  id: 'archiveDashboard',
  method: 'DELETE',
  path: onePath,
  summary: 'Archive a Dashboard: it is no longer listed and cannot be changed',
  reply: { status: 204, description: 'The Dashboard is archived', tagged: true },
});

export const restoreDashboard = operation({
  ...write,
  id: 'restoreDashboard',
  method: 'PATCH',
  path: `${onePath}/restore`,
  summary: 'Restore an archived Dashboard',
  reply: tagged,
});

export const publishDashboard = operation({
  ...write,
  id: 'publishDashboard',
  method: 'POST',
  path: `${onePath}/publish`,
  summary: 'Publish the draft as the next version',
  body: Type.Object({ comment }, closed),
  reply: {
    status: 201,
    description: 'The published version',
    body: ListedDashboardVersion,
    tagged: true,
  },
  failures: ['CONFLICT'],
});

export const restoreDashboardHistory = operation({
  ...write,
  id: 'restoreDashboardHistory',
  method: 'POST',
  path: `${historyPath}/restore`,
  summary: 'Copy a published version to the draft',
  reply: tagged,
  failures: ['CONFLICT'],
});
