import Type, { type Static } from 'typebox';
import { operation, permission, userOnly } from './operation.ts';
import {
  closed,
  DateTime,
  Email,
  filter,
  Id,
  listOf,
  nullable,
  paging,
  search,
  text,
} from './schema.ts';

/** The maximum number of events that one request assigns. */
const MAX_ASSIGNED_EVENTS = 500;

const assignee = { userId: Id, email: Email, name: nullable(text(1, 100)) };

export const AlarmAssignee = Type.Object(assignee, closed);

export type AlarmAssignee = Static<typeof AlarmAssignee>;

export const AlarmAssignment = Type.Object(
  {
    eventId: Id,
    ...assignee,
    assignedBy: Type.String({ description: 'The email of the user who assigned the event' }),
    assignedDateTime: DateTime,
  },
  closed,
);

export type AlarmAssignment = Static<typeof AlarmAssignment>;

const path = '/primary/v1/{organizationId}/alarm-assignments';

export const listAlarmAssignments = operation({
  tag: 'Alarms',
  id: 'listAlarmAssignments',
  method: 'GET',
  path,
  summary: 'List who is assigned to alarm events, latest assignment first',
  access: permission('ReadAlarmConfigurations'),
  effect: 'read',
  query: Type.Object(
    {
      eventIds: Type.Optional({
        ...filter(Type.String()),
        description: 'Only these events; without ids, all active events',
      }),
      ...paging,
    },
    closed,
  ),
  reply: { status: 200, description: 'A page of assignments', body: listOf(AlarmAssignment) },
});

export const assignAlarmEvents = operation({
  tag: 'Alarms',
  id: 'assignAlarmEvents',
  method: 'POST',
  path,
  summary: 'Assign alarm events to a member, or to nobody; all or none, repeated ids count once',
  access: userOnly('AcknowledgeAlarmEvents'),
  effect: 'write',
  body: Type.Object(
    {
      eventIds: Type.Array(Id, { minItems: 1, maxItems: MAX_ASSIGNED_EVENTS }),
      userId: nullable(Id),
    },
    closed,
  ),
  reply: {
    status: 200,
    description: 'The assignments of these events; none if they are assigned to nobody',
    body: listOf(AlarmAssignment),
  },
});

export const listAlarmAssignees = operation({
  tag: 'Alarms',
  id: 'listAlarmAssignees',
  method: 'GET',
  path: '/primary/v1/{organizationId}/alarm-assignees',
  summary: 'List the members to whom alarm events can be assigned, by name and email',
  access: userOnly('AcknowledgeAlarmEvents'),
  effect: 'read',
  query: Type.Object({ search: Type.Optional(search), ...paging }, closed),
  reply: { status: 200, description: 'A page of members', body: listOf(AlarmAssignee) },
});
