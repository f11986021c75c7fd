import Type, { type Static } from 'typebox';
import { operation, permission } from './operation.ts';
import {
  archivedScope,
  closed,
  DateTime,
  defaulted,
  filter,
  Id,
  listOf,
  name,
  nullable,
  oneOf,
  paging,
  search,
  text,
} from './schema.ts';

export const ALARM_OPERATORS = [
  'LESS_THAN',
  'LESS_THAN_OR_EQUAL',
  'GREATER_THAN',
  'GREATER_THAN_OR_EQUAL',
  'EQUAL',
  'NOT_EQUAL',
] as const;

export type AlarmOperator = (typeof ALARM_OPERATORS)[number];

export const SEVERITIES = ['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL'] as const;

export type Severity = (typeof SEVERITIES)[number];

export const ALARM_STATUSES = ['enabled', 'disabled'] as const;

export type AlarmStatus = (typeof ALARM_STATUSES)[number];

const terms = {
  name: name(1, 100),
  isActive: Type.Boolean({ description: 'Whether it evaluates incoming readings' }),
  deviceId: Id,
  deviceVariableId: Id,
  operator: oneOf(ALARM_OPERATORS),
  alarmGroupId: nullable(Id),
  thresholdValueNumber: nullable(
    Type.Number({ minimum: 0, maximum: 999_999, description: 'For NUMBER Variables' }),
  ),
  thresholdValueString: nullable(text(0, 500, 'For STRING Variables')),
  thresholdValueBoolean: nullable(Type.Boolean({ description: 'For BOOLEAN Variables' })),
  severity: oneOf(SEVERITIES),
  isAcknowledgeable: Type.Boolean({ description: 'Whether users can acknowledge its events' }),
  delayProcessingSeconds: nullable(
    Type.Integer({
      minimum: 0,
      maximum: 900,
      description: 'How long the condition must hold before an event is raised',
    }),
  ),
};

/** Beyond the interface; without them an Alarm does what the interface says. */
const refinements = {
  deadband: Type.Number({
    minimum: 0,
    maximum: 999_999,
    description: 'How far a value must return across the threshold before the event clears',
  }),
  clearDelaySeconds: Type.Integer({
    minimum: 0,
    maximum: 900,
    description: 'How long the condition must fail before the event clears',
  }),
};

const optionalRefinements = {
  deadband: Type.Optional(nullable(refinements.deadband)),
  clearDelaySeconds: Type.Optional(nullable(refinements.clearDelaySeconds)),
};

/** The fields of a new Alarm, or of one that is only tried out. */
export const alarmBody = {
  ...terms,
  thresholdValueNumber: Type.Optional(terms.thresholdValueNumber),
  thresholdValueString: Type.Optional(terms.thresholdValueString),
  thresholdValueBoolean: Type.Optional(terms.thresholdValueBoolean),
  severity: defaulted(terms.severity, 'MEDIUM'),
  isAcknowledgeable: defaulted(terms.isAcknowledgeable, false),
  delayProcessingSeconds: Type.Optional(terms.delayProcessingSeconds),
  ...optionalRefinements,
};

const Shelving = Type.Object(
  {
    untilDateTime: DateTime,
    reason: Type.String(),
    shelvedBy: Type.String({ description: 'The email of the user or the name of the API key' }),
  },
  closed,
);

export const Alarm = Type.Object(
  {
    id: Id,
    ...terms,
    deadband: Type.Optional(refinements.deadband),
    clearDelaySeconds: Type.Optional(refinements.clearDelaySeconds),
    shelving: Type.Optional(Shelving),
    isTriggered: Type.Boolean(),
    triggeredDateTime: nullable(DateTime),
    isArchived: Type.Boolean(),
    archivedDateTime: nullable(DateTime),
    createdDateTime: DateTime,
    updatedDateTime: DateTime,
  },
  closed,
);

export type Alarm = Static<typeof Alarm>;

const path = '/primary/v1/{organizationId}/alarms';
const onePath = `${path}/{alarmId}` as const;
const integrate = { tag: 'Alarms', stage: 'Integrate' } as const;
const tagged = { status: 200, description: 'The Alarm', body: Alarm, tagged: true } as const;

export const searchAlarms = operation({
  ...integrate,
  id: 'searchAlarms',
  method: 'POST',
  path: `${path}/search`,
  summary: 'Search Alarms, newest first; filters are combined by AND, the values of a filter by OR',
  access: permission('ReadAlarmConfigurations'),
  effect: 'read',
  body: Type.Object(
    {
      search: Type.Optional(search),
      severities: Type.Optional(filter(oneOf(SEVERITIES))),
      statuses: Type.Optional(filter(oneOf(ALARM_STATUSES))),
      isTriggered: Type.Optional(
        Type.Boolean({
          description: 'Only triggered Alarms (true), or only those that are not (false)',
        }),
      ),
      deviceVariableIds: Type.Optional(filter(Type.String())),
      assetIds: Type.Optional(filter(Type.String())),
      locationIds: Type.Optional(filter(Type.String())),
      alarmGroupIds: Type.Optional(filter(Type.String())),
      archivedScope,
      ...paging,
    },
    closed,
  ),
  bodyOptional: true,
  reply: { status: 200, description: 'A page of Alarms', body: listOf(Alarm) },
});

export const retrieveAlarm = operation({
  ...integrate,
  id: 'retrieveAlarm',
  method: 'GET',
  path: onePath,
  summary: 'Retrieve an Alarm, also an archived one',
  access: permission('ReadAlarmConfigurations'),
  effect: 'read',
  reply: tagged,
});

export const createAlarm = operation({
  ...integrate,
  id: 'createAlarm',
  method: 'POST',
  path,
  summary: 'Create an Alarm on a Variable of a Device',
  access: permission('CreateAlarmConfiguration'),
  effect: 'write',
  body: Type.Object(alarmBody, closed),
  reply: { ...tagged, status: 201 },
});

export const updateAlarm = operation({
  ...integrate,
  id: 'updateAlarm',
  method: 'PATCH',
  path: onePath,
  summary: 'Change an Alarm that is not archived; fields left out stay unchanged',
  access: permission('UpdateAlarmConfiguration'),
  effect: 'write',
  body: Type.Partial(Type.Object({ ...terms, ...optionalRefinements }), closed),
  reply: tagged,
  failures: ['CONFLICT'],
});

export const archiveAlarm = operation({
  ...integrate,
  id: 'archiveAlarm',
  method: 'DELETE',
  path: onePath,
  summary: 'Archive an Alarm; its events stay',
  access: permission('DeleteAlarmConfiguration'),
  effect: 'write',
  reply: { status: 204, description: 'The Alarm is archived', tagged: true },
});

export const restoreAlarm = operation({
  ...integrate,
  id: 'restoreAlarm',
  method: 'PATCH',
  path: `${onePath}/restore`,
  summary: 'Restore an archived Alarm',
  access: permission('DeleteAlarmConfiguration'),
  effect: 'write',
  reply: tagged,
});

export const shelveAlarm = operation({
  tag: 'Alarms',
  id: 'shelveAlarm',
  method: 'POST',
  path: `${onePath}/shelve`,
  summary: 'Shelve an Alarm: it records events, marked as shelved, and sends no notifications',
  access: permission('UpdateAlarmConfiguration'),
  effect: 'write',
  body: Type.Object({ untilDateTime: DateTime, reason: name(1, 500) }, closed),
  reply: tagged,
  failures: ['CONFLICT'],
});

export const unshelveAlarm = operation({
  tag: 'Alarms',
  id: 'unshelveAlarm',
  method: 'POST',
  path: `${onePath}/unshelve`,
  summary: 'Unshelve an Alarm; it sends notifications again',
  access: permission('UpdateAlarmConfiguration'),
  effect: 'write',
  reply: tagged,
});
