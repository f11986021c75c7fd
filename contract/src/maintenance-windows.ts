import Type, { type Static, type TUnsafe } from 'typebox';
import { SEVERITIES } from './alarms.ts';
import { type Schedule, scheduleErrors } from './maintenance-schedule.ts';
import { operation, permission, type Sent } from './operation.ts';
import type { FieldError } from './problem.ts';
import { recordOperations } from './record-operations.ts';
import {
  closed,
  DateTime,
  defaulted,
  Id,
  nullable,
  oneOf,
  paging,
  search,
  text,
} from './schema.ts';
import { localDate, timeOfDay, timeZone, WEEKDAYS } from './wall-time.ts';

export const MAINTENANCE_MODES = ['QUIET', 'TEST'] as const;
export const MAINTENANCE_STATES = ['SCHEDULED', 'ACTIVE', 'ENDED'] as const;
const MAX_SCOPE_IDS = 100;

const ids = (description: string) =>
  Type.Array(Id, { maxItems: MAX_SCOPE_IDS, uniqueItems: true, description });

const parts = {
  locationIds: ids('Everything at these Locations and those below them'),
  assetIds: ids('Variables that are bound to these Assets'),
  deviceIds: ids('These Devices and those below them'),
  alarmGroupIds: ids('Alarms of these alarm groups'),
  alarmIds: ids('These Alarms'),
};

const covering = { ...closed, description: 'An event in any part of the scope is covered' };

const Scope = Type.Object(parts, covering);

const WrittenScope = Type.Object(
  {
    locationIds: Type.Optional(parts.locationIds),
    assetIds: Type.Optional(parts.assetIds),
    deviceIds: Type.Optional(parts.deviceIds),
    alarmGroupIds: Type.Optional(parts.alarmGroupIds),
    alarmIds: Type.Optional(parts.alarmIds),
  },
  covering,
);

const severities = Type.Array(oneOf(SEVERITIES), {
  uniqueItems: true,
  maxItems: SEVERITIES.length,
  description: 'Severities that are covered; an empty list means all',
});

const eachTime = {
  startTime: {
    ...timeOfDay,
    description: 'Local time in the zone; where it is skipped, as much after the change',
  },
  durationMinutes: Type.Integer({ minimum: 1, maximum: 44_640 }),
  timeZone,
  untilDate: nullable({
    ...localDate,
    description: 'The last day on which it may start; null for no last day',
  }),
};

const weekly = Type.Object(
  {
    kind: oneOf(['WEEKLY']),
    weekdays: Type.Array(oneOf(WEEKDAYS), { minItems: 1, maxItems: 7, uniqueItems: true }),
    ...eachTime,
  },
  closed,
);

const monthly = Type.Object(
  {
    kind: oneOf(['MONTHLY']),
    monthDay: Type.Integer({
      minimum: 1,
      maximum: 31,
      description: 'In a shorter month, its last day',
    }),
    ...eachTime,
  },
  closed,
);

export type MaintenanceRecurrence = Static<typeof weekly> | Static<typeof monthly>;

const recurrence: TUnsafe<MaintenanceRecurrence | null> = nullable(
  Type.Unsafe<MaintenanceRecurrence>({
    type: 'object',
    required: ['kind'],
    discriminator: { propertyName: 'kind' },
    oneOf: [weekly, monthly],
  }),
);

const fields = {
  scope: Scope,
  severities,
  mode: oneOf(MAINTENANCE_MODES),
  reason: Type.String({ minLength: 1, maxLength: 500, pattern: '\\S' }),
  from: nullable(DateTime),
  to: nullable(DateTime),
  recurrence,
  tellsStart: Type.Boolean({
    description:
      'Whether those whom the alarm groups of its scope notify get a message at its start',
  }),
  tellsEnd: Type.Boolean({ description: 'The same at its end' }),
};

export const MaintenanceWindow = Type.Object(
  {
    id: Id,
    ...fields,
    state: oneOf(MAINTENANCE_STATES),
    current: nullable(
      Type.Object(
        { from: DateTime, to: DateTime },
        { ...closed, description: 'The period in progress, or else the next one' },
      ),
    ),
    heldCount: Type.Integer({
      minimum: 0,
      description: 'Events whose notifications are held back until it ends',
    }),
    createdBy: text(0, 500),
    createdDateTime: DateTime,
    updatedDateTime: DateTime,
  },
  closed,
);

export type MaintenanceWindow = Static<typeof MaintenanceWindow>;

const windows = recordOperations({
  tag: 'Maintenance',
  path: '/primary/v1/{organizationId}/maintenance-windows',
  idName: 'maintenanceWindowId',
  record: MaintenanceWindow,
  listed: MaintenanceWindow,
  names: ['maintenance window', 'windows'],
  reading: permission('ReadAlarmConfigurations'),
  managing: permission('ManageMaintenance'),
});

/** What no schema can check: that it ends, and that it covers something. */
function createErrors({ body }: Sent): FieldError[] {
  const { scope, ...schedule } = Object(body) as { scope?: unknown } & Schedule;
  return [...scopeErrors(scope), ...scheduleErrors(schedule)];
}

function scopeErrors(scope: unknown): FieldError[] {
  if (typeof scope !== 'object' || scope === null) return [];
  const isEmpty = Object.values(scope).every((each) => Array.isArray(each) && each.length === 0);
  return isEmpty ? [{ path: 'scope', message: 'must name at least one record' }] : [];
}

export const listMaintenanceWindows = operation({
  ...windows.list,
  id: 'listMaintenanceWindows',
  summary: 'List maintenance windows, newest first',
  query: Type.Object(
    {
      search: Type.Optional(search),
      state: Type.Optional(oneOf(MAINTENANCE_STATES)),
      locationId: Type.Optional({ ...Id, description: 'Those that cover this Location' }),
      assetId: Type.Optional({ ...Id, description: 'Those that cover this Asset' }),
      deviceId: Type.Optional({ ...Id, description: 'Those that cover this Device' }),
      ...paging,
    },
    closed,
  ),
});

export const retrieveMaintenanceWindow = operation({
  ...windows.retrieve,
  id: 'retrieveMaintenanceWindow',
  summary: 'Retrieve a maintenance window',
});

export const createMaintenanceWindow = operation({
  ...windows.create,
  id: 'createMaintenanceWindow',
  summary: 'Hold back notifications about a scope for a time that ends',
  body: Type.Object(
    {
      scope: WrittenScope,
      reason: fields.reason,
      severities: defaulted(severities, []),
      mode: defaulted(fields.mode, 'QUIET'),
      from: defaulted(
        { ...nullable(DateTime), description: 'Without one, the window begins at once' },
        null,
      ),
      to: defaulted(fields.to, null),
      recurrence: defaulted(recurrence, null),
      tellsStart: defaulted(fields.tellsStart, false),
      tellsEnd: defaulted(fields.tellsEnd, false),
    },
    closed,
  ),
  check: createErrors,
  failures: ['CONFLICT'],
});

export const updateMaintenanceWindow = operation({
  ...windows.update,
  id: 'updateMaintenanceWindow',
  summary: 'Change a maintenance window; notifications that it no longer covers are sent',
  body: Type.Object(
    {
      scope: Type.Optional(WrittenScope),
      reason: Type.Optional(fields.reason),
      severities: Type.Optional(severities),
      mode: Type.Optional(fields.mode),
      from: Type.Optional(fields.from),
      to: Type.Optional(fields.to),
      recurrence: Type.Optional(recurrence),
      tellsStart: Type.Optional(fields.tellsStart),
      tellsEnd: Type.Optional(fields.tellsEnd),
    },
    closed,
  ),
  check: ({ body }) => scopeErrors(Object(body).scope),
});

export const endMaintenanceWindow = operation({
  ...windows.update,
  id: 'endMaintenanceWindow',
  method: 'POST',
  path: `${windows.onePath}/end`,
  summary: 'End the period in progress; later periods of a recurring window stay',
  failures: ['CONFLICT'],
});

export const deleteMaintenanceWindow = operation({
  ...windows.remove,
  id: 'deleteMaintenanceWindow',
  summary: 'Delete a maintenance window; what it holds back is sent',
});
