import type { Role } from '@fieldwatch/contract';
import { fold, foldEmail, isoDateTime } from '../../runtime/index.ts';
import {
  all,
  anyOf,
  contains,
  type Page,
  type PageRequest,
  page,
  type Queries,
  run,
  type Sql,
  saved,
  sql,
  type Transaction,
} from '../../storage/index.ts';
import { lockUser } from '../memberships/index.ts';

/** An invited member has no access yet. */
export type MembershipStatus = 'ACTIVE' | 'INVITED';

/** A user as one organization sees them. */
export interface MemberRow {
  readonly userId: string;
  readonly email: string;
  readonly name: string | null;
  readonly role: Role;
  readonly membership: MembershipStatus;
  readonly hasPassword: boolean;
  readonly lastSignInAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

const COLUMNS = sql`m.user_id as "userId", u.email, m.name, m.role, m.status as membership,
  u.password_hash is not null as "hasPassword", u.last_sign_in_at as "lastSignInAt",
  m.created_at as "createdAt", m.updated_at as "updatedAt", m.revision`;
const FROM = sql`memberships m join users u on u.id = m.user_id`;

export async function findMember(
  db: Queries,
  organizationId: string,
  userId: string,
): Promise<MemberRow | null> {
  const [row] = await selectMember(db, organizationId, userId);
  return row ?? null;
}

/** The member that this transaction has written. */
export function getMember(
  tx: Transaction,
  organizationId: string,
  userId: string,
): Promise<MemberRow> {
  return saved(selectMember(tx, organizationId, userId));
}

function selectMember(db: Queries, organizationId: string, userId: string): Promise<MemberRow[]> {
  return run(
    db,
    sql`select ${COLUMNS} from ${FROM}
        where m.organization_id = ${organizationId} and m.user_id = ${userId}`,
  );
}

export async function lockMember(
  tx: Transaction,
  organizationId: string,
  userId: string,
): Promise<MemberRow | null> {
  const [row] = await run<MemberRow>(
    tx,
    sql`select ${COLUMNS} from ${FROM} where m.organization_id = ${organizationId}
          and m.user_id = ${userId} for update of m`,
  );
  return row ?? null;
}

export interface MemberFilter extends PageRequest {
  readonly search: string;
  /** Empty filters nothing. */
  readonly roles: readonly Role[];
}

export function listMembers(
  db: Queries,
  organizationId: string,
  { search, roles, skip, take }: MemberFilter,
): Promise<Page<MemberRow>> {
  const where = all([
    sql`m.organization_id = ${organizationId}`,
    roles.length === 0 ? undefined : sql`m.role = any(${roles})`,
    anyOf([
      contains(sql`coalesce(u.email_searched, u.email_folded)`, fold(search)),
      contains(sql`m.name_folded`, fold(search)),
    ]),
  ]);
  const order = sql`m.created_at desc, m.user_id desc`;
  return page(db, { columns: COLUMNS, from: FROM, where, order }, { skip, take });
}

export async function isEmailKnown(db: Queries, email: string): Promise<boolean> {
  const rows = await run(db, sql`select 1 from users where email_folded = ${foldEmail(email)}`);
  return rows.length > 0;
}

/** The user of an email, who cannot be deleted until this transaction ends. */
export async function holdUserByEmail(tx: Transaction, email: string): Promise<string | null> {
  const [row] = await run<{ id: string }>(
    tx,
    sql`select id from users where email_folded = ${foldEmail(email)} for key share`,
  );
  return row?.id ?? null;
}

export interface NewUser {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string | null;
  /** Who named the email and chose the password; the operator answers for both. */
  readonly madeBy: 'OPERATOR' | 'ADMINISTRATOR';
  readonly now: number;
}

/** False when another request has just made a user of this email. */
export async function insertUser(tx: Transaction, user: NewUser): Promise<boolean> {
  const { passwordHash, madeBy, now } = user;
  const rows = await run(
    tx,
    sql`insert into users
          (id, email, email_folded, email_searched, password_hash, password_origin,
            email_proved_at, created_at)
        values (${user.id}, ${user.email}, ${foldEmail(user.email)}, ${fold(user.email)},
          ${passwordHash}, ${passwordHash === null ? null : madeBy},
          ${madeBy === 'OPERATOR' ? isoDateTime(now) : null}, ${isoDateTime(now)})
          on conflict (email_folded) do nothing returning 1`,
  );
  return rows.length > 0;
}

export interface NewMembership {
  readonly userId: string;
  readonly role: Role;
  readonly name: string | null;
  readonly now: number;
}

interface AddedMembership extends NewMembership {
  readonly status: MembershipStatus;
}

/** False when the user is a member already. */
export async function insertMembership(
  tx: Transaction,
  organizationId: string,
  { userId, role, name, status, now }: AddedMembership,
): Promise<boolean> {
  const at = isoDateTime(now);
  const folded = name === null ? null : fold(name);
  const rows = await run(
    tx,
    sql`insert into memberships
          (organization_id, user_id, role, name, name_folded, status, created_at, updated_at)
        values (${organizationId}, ${userId}, ${role}, ${name}, ${folded}, ${status},
          ${at}, ${at})
        on conflict (organization_id, user_id) do nothing returning 1`,
  );
  return rows.length > 0;
}

export async function insertInvitation(
  tx: Transaction,
  organizationId: string,
  invitation: { id: string; tokenHash: Buffer; userId: string; now: number; expiresAt: number },
): Promise<void> {
  await run(
    tx,
    sql`insert into invitations (id, token_hash, organization_id, user_id, created_at, expires_at)
        values (${invitation.id}, ${invitation.tokenHash}, ${organizationId}, ${invitation.userId},
          ${isoDateTime(invitation.now)}, ${isoDateTime(invitation.expiresAt)})`,
  );
}

export async function updateMembership(
  tx: Transaction,
  organizationId: string,
  { userId, role, name, now }: NewMembership,
): Promise<void> {
  await run(
    tx,
    sql`update memberships set role = ${role}, name = ${name},
          name_folded = ${name === null ? null : fold(name)}, updated_at = ${isoDateTime(now)},
          revision = revision + 1
        where organization_id = ${organizationId} and user_id = ${userId}`,
  );
}

/** Whether a member has accepted, and can sign in. */
function isMember(membership: Sql, user: Sql): Sql {
  return sql`(${membership}.status = 'ACTIVE'
    and (${user}.password_hash is not null or ${user}.last_sign_in_at is not null))`;
}

/**
 * Whether no other administrator is left without this one: none who can sign in, or none at all
 * where this one cannot. True only while the organization is locked; without the lock two could
 * leave at once.
 */
export async function isLastAdministrator(
  tx: Transaction,
  organizationId: string,
  userId: string,
): Promise<boolean> {
  const rows = await run(
    tx,
    sql`select 1 from memberships own join users own_user on own_user.id = own.user_id
        where own.organization_id = ${organizationId} and own.user_id = ${userId}
          and own.role = 'ADMINISTRATOR'
          and not exists (
            select from memberships other join users other_user on other_user.id = other.user_id
            where other.organization_id = ${organizationId} and other.user_id <> ${userId}
              and other.role = 'ADMINISTRATOR'
              and (${isMember(sql`other`, sql`other_user`)}
                or not ${isMember(sql`own`, sql`own_user`)}))`,
  );
  return rows.length > 0;
}

/** Deletes the user too, with their sessions, when they belong nowhere else. */
export async function deleteMembership(
  tx: Transaction,
  organizationId: string,
  userId: string,
): Promise<void> {
  // Locked before looking whether they belong elsewhere, since they may be joining it right now.
  await lockUser(tx, userId);
  await run(
    tx,
    sql`delete from memberships where organization_id = ${organizationId} and user_id = ${userId}`,
  );
  await run(
    tx,
    sql`delete from users
        where id = ${userId} and not exists (select from memberships where user_id = ${userId})`,
  );
}
