import { isoDateTime } from '../../runtime/index.ts';
import {
  type Page,
  type PageRequest,
  page,
  type Queries,
  run,
  saved,
  sql,
  type Transaction,
} from '../../storage/index.ts';

export interface MemberName {
  readonly organizationId: string;
  readonly userId: string;
}

export interface FollowedGroup {
  readonly alarmGroupId: string;
  readonly alarmGroupName: string;
  readonly createdAt: number;
}

const COLUMNS = sql`follower.alarm_group_id as "alarmGroupId", groups.name as "alarmGroupName",
  follower.created_at as "createdAt"`;

const FOLLOWED = sql`alarm_group_followers follower join alarm_groups groups
  on groups.organization_id = follower.organization_id and groups.id = follower.alarm_group_id`;

const ofMember = ({ organizationId, userId }: MemberName) =>
  sql`follower.organization_id = ${organizationId} and follower.user_id = ${userId}`;

export function listFollowed(
  db: Queries,
  member: MemberName,
  request: PageRequest,
): Promise<Page<FollowedGroup>> {
  const order = sql`follower.created_at desc, follower.alarm_group_id desc`;
  return page(db, { columns: COLUMNS, from: FOLLOWED, where: ofMember(member), order }, request);
}

/** The ids of all of them; the member is locked, so that they change one at a time. */
export async function lockFollowed(tx: Transaction, member: MemberName): Promise<Set<string>> {
  await run(
    tx,
    sql`select 1 from memberships where organization_id = ${member.organizationId}
          and user_id = ${member.userId} for no key update`,
  );
  const rows = await run<{ alarmGroupId: string }>(
    tx,
    sql`select follower.alarm_group_id as "alarmGroupId" from alarm_group_followers follower
        where ${ofMember(member)}`,
  );
  return new Set(rows.map(({ alarmGroupId }) => alarmGroupId));
}

export async function insertFollower(
  tx: Transaction,
  member: MemberName,
  alarmGroupId: string,
  now: number,
): Promise<FollowedGroup> {
  await run(
    tx,
    sql`insert into alarm_group_followers (organization_id, alarm_group_id, user_id, created_at)
        values (${member.organizationId}, ${alarmGroupId}, ${member.userId}, ${isoDateTime(now)})`,
  );
  return saved(
    run<FollowedGroup>(
      tx,
      sql`select ${COLUMNS} from ${FOLLOWED}
          where ${ofMember(member)} and follower.alarm_group_id = ${alarmGroupId}`,
    ),
  );
}

export async function deleteFollower(
  tx: Transaction,
  { organizationId, userId }: MemberName,
  alarmGroupId: string,
): Promise<void> {
  await run(
    tx,
    sql`delete from alarm_group_followers where organization_id = ${organizationId}
          and alarm_group_id = ${alarmGroupId} and user_id = ${userId}`,
  );
}

export interface GroupName {
  readonly organizationId: string;
  readonly alarmGroupId: string;
}

/** Everybody who follows one of the groups. */
export function listFollowers(
  db: Queries,
  groups: readonly GroupName[],
): Promise<(GroupName & MemberName)[]> {
  return run(
    db,
    sql`select follower.organization_id as "organizationId",
          follower.alarm_group_id as "alarmGroupId", follower.user_id as "userId"
        from json_to_recordset(${JSON.stringify(groups)}) as asked
          ("organizationId" uuid, "alarmGroupId" uuid)
        join alarm_group_followers follower on follower.organization_id = "organizationId"
          and follower.alarm_group_id = "alarmGroupId"
        order by follower.organization_id, follower.alarm_group_id, follower.user_id`,
  );
}

export async function isFollowing(
  db: Queries,
  member: MemberName,
  alarmGroupId: string,
): Promise<boolean> {
  const rows = await run(
    db,
    sql`select 1 from alarm_group_followers follower
        where ${ofMember(member)} and follower.alarm_group_id = ${alarmGroupId}`,
  );
  return rows.length > 0;
}

/** Every address at which somebody who follows the group may get mail. */
export function listFollowerAddresses(
  db: Queries,
  { organizationId, alarmGroupId }: GroupName,
): Promise<{ userId: string; email: string }[]> {
  return run(
    db,
    sql`select follower.user_id as "userId", address.email
        from alarm_group_followers follower
        cross join lateral (
          select users.email from users where users.id = follower.user_id
          union
          select method.address from contact_methods method
          where method.organization_id = follower.organization_id
            and method.user_id = follower.user_id and method.kind = 'EMAIL') address
        where follower.organization_id = ${organizationId}
          and follower.alarm_group_id = ${alarmGroupId}
        order by follower.user_id`,
  );
}
