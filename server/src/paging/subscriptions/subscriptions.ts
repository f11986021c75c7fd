import {
  type GroupSubscription,
  MAX_GROUP_SUBSCRIPTIONS,
  type Operations,
} from '@fieldwatch/contract';
import { type Change, changeOf, type Handler } from '../../http/index.ts';
import { Failure, isoDateTime, notFound } from '../../runtime/index.ts';
import { requireReferences, type Storage } from '../../storage/index.ts';
import * as store from './store.ts';

/** The alarm groups that users follow themselves. */
export interface GroupSubscriptions {
  readonly list: Handler<Operations['listGroupSubscriptions']>;
  readonly create: Handler<Operations['createGroupSubscription']>;
  readonly delete: Handler<Operations['deleteGroupSubscription']>;
}

export function createGroupSubscriptions({
  storage,
}: {
  readonly storage: Storage;
}): GroupSubscriptions {
  return {
    async list({ params: { organizationId }, query }, { caller }) {
      const member = { organizationId, userId: caller.id };
      const found = await store.listFollowed(storage, member, query);
      return { body: { count: found.count, items: found.rows.map(recordOf) } };
    },
    create,
    delete: remove,
  };
}

/** It is made and ended, and never changed. */
const REVISION = 1;

const create: GroupSubscriptions['create'] = async ({ params, body }, { tx, now, caller }) => {
  const { organizationId } = params;
  const alarmGroupId = body.alarmGroupId.toLowerCase();
  await requireReferences(tx, organizationId, [
    { path: 'alarmGroupId', table: 'alarm_groups', id: alarmGroupId },
  ]);
  const member = { organizationId, userId: caller.id };
  const followed = await store.lockFollowed(tx, member);
  if (followed.has(alarmGroupId)) {
    throw new Failure('CONFLICT', 'The user follows this alarm group already.');
  }
  if (followed.size >= MAX_GROUP_SUBSCRIPTIONS) {
    const detail = `A user follows at most ${MAX_GROUP_SUBSCRIPTIONS} alarm groups.`;
    throw new Failure('CONFLICT', detail);
  }
  const row = await store.insertFollower(tx, member, alarmGroupId, now);
  return {
    body: recordOf(row),
    revision: REVISION,
    location: `/primary/v1/${organizationId}/me/subscriptions/${alarmGroupId}`,
    changes: changed(member, undefined, alarmGroupId),
  };
};

const remove: GroupSubscriptions['delete'] = async ({ params }, context) => {
  const { tx, caller, precondition } = context;
  const { organizationId } = params;
  const alarmGroupId = params.alarmGroupId.toLowerCase();
  const member = { organizationId, userId: caller.id };
  if (!(await store.lockFollowed(tx, member)).has(alarmGroupId)) {
    throw notFound('followed alarm group');
  }
  precondition.check(REVISION);
  await store.deleteFollower(tx, member, alarmGroupId);
  return { body: undefined, changes: changed(member, alarmGroupId) };
};

function recordOf({ alarmGroupId, alarmGroupName, createdAt }: store.FollowedGroup) {
  const record: GroupSubscription = {
    alarmGroupId,
    alarmGroupName,
    createdDateTime: isoDateTime(createdAt),
  };
  return record;
}

/** The audit log shows it at the user. */
export function changed(
  { organizationId, userId }: store.MemberName,
  before?: string,
  after?: string,
): Change[] {
  const groupOf = (alarmGroupId: string | undefined) =>
    alarmGroupId === undefined ? undefined : { alarmGroupId };
  const change = { id: userId, before: groupOf(before), after: groupOf(after) };
  return [changeOf(organizationId, 'GroupSubscription', change)];
}
