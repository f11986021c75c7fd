import Type, { type Static } from 'typebox';
import { operation, userOnly } from './operation.ts';
import { closed, DateTime, Id, listOf, paging } from './schema.ts';

/** How many alarm groups a member follows at most. */
export const MAX_GROUP_SUBSCRIPTIONS = 100;

const alarmGroupId = { ...Id, description: 'The alarm group that the user follows' };

export const GroupSubscription = Type.Object(
  {
    alarmGroupId,
    alarmGroupName: Type.String({ description: 'Its name, as it is now' }),
    createdDateTime: DateTime,
  },
  closed,
);

export type GroupSubscription = Static<typeof GroupSubscription>;

const path = '/primary/v1/{organizationId}/me/subscriptions';
const shared = { tag: 'Paging', access: userOnly('ReadAlarmConfigurations') } as const;

export const listGroupSubscriptions = operation({
  ...shared,
  id: 'listGroupSubscriptions',
  method: 'GET',
  path,
  summary: 'List the alarm groups that the user follows, the latest first',
  effect: 'read',
  query: Type.Object(paging, closed),
  reply: {
    status: 200,
    description: 'A page of followed alarm groups',
    body: listOf(GroupSubscription),
  },
});

export const createGroupSubscription = operation({
  ...shared,
  id: 'createGroupSubscription',
  method: 'POST',
  path,
  summary: 'Follow an alarm group: its notifications also go to the user, by their own rules',
  effect: 'write',
  body: Type.Object({ alarmGroupId }, closed),
  reply: {
    status: 201,
    description: 'The followed alarm group',
    body: GroupSubscription,
    tagged: true,
  },
  failures: ['CONFLICT'],
});

export const deleteGroupSubscription = operation({
  ...shared,
  id: 'deleteGroupSubscription',
  method: 'DELETE',
  path: `${path}/{alarmGroupId}`,
  summary: 'Follow an alarm group no longer',
  effect: 'write',
  reply: { status: 204, description: 'The user no longer follows the alarm group', tagged: true },
});
