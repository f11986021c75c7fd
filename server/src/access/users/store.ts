import type { Role } from '@fieldwatch/contract';
import { fold, foldEmail, isoDateTime } from '../../runtime/index.ts';
import { type Queries, saved, type Transaction } from '../../storage/index.ts';
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

const COLUMNS = `m.user_id as "userId", u.email, m.name, m.role, m.status as membership,
  u.password_hash is not null as "hasPassword", u.last_sign_in_at as "lastSignInAt",
  m.created_at as "createdAt", m.updated_at as "updatedAt", m.revision`;
const FROM = 'from memberships m join users u on u.id = m.user_id';

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
  return db.query<MemberRow>(
    `select ${COLUMNS} ${FROM} where m.organization_id = $1 and m.user_id = $2`,
    [organizationId, userId],
  );
}

export async function lockMember(
  tx: Transaction,
  organizationId: string,
  userId: string,
): Promise<MemberRow | null> {
  const [row] = await tx.query<MemberRow>(
    `select ${COLUMNS} ${FROM} where m.organization_id = $1 and m.user_id = $2 for update of m`,
    [organizationId, userId],
  );
  return row ?? null;
}

export interface MemberFilter {
  readonly search: string;
  /** Empty filters nothing. */
  readonly roles: readonly Role[];
  readonly skip: number;
  readonly take: number;
}

export async function listMembers(
  db: Queries,
  organizationId: string,
  filter: MemberFilter,
): Promise<{ count: number; rows: MemberRow[] }> {
  const rows = await db.query<MemberRow & { count: number; userId: string | null }>(
    `with matching as not materialized (
       select ${COLUMNS} ${FROM}
       where m.organization_id = $1
         and ($2 = '' or position($6 in u.email_folded) > 0 or position($2 in m.name_folded) > 0)
         and (cardinality($3::text[]) = 0 or m.role = any ($3))
     )
     select total.count, page.* from (select count(*) from matching) total
     left join (
       select * from matching order by "createdAt" desc, "userId" desc offset $4 limit $5
     ) page on true
     order by page."createdAt" desc, page."userId" desc`,
    [
      organizationId,
      fold(filter.search),
      filter.roles,
      filter.skip,
      filter.take,
      foldEmail(filter.search),
    ],
  );
  return { count: rows[0]?.count ?? 0, rows: rows.filter(({ userId }) => userId !== null) };
}

export async function isEmailKnown(db: Queries, email: string): Promise<boolean> {
  const rows = await db.query('select 1 from users where email_folded = $1', [foldEmail(email)]);
  return rows.length > 0;
}

/** The user of an email, who cannot be deleted until this transaction ends. */
export async function holdUserByEmail(tx: Transaction, email: string): Promise<string | null> {
  const [row] = await tx.query<{ id: string }>(
    'select id from users where email_folded = $1 for key share',
    [foldEmail(email)],
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
  const rows = await tx.query(
    `insert into users
       (id, email, email_folded, password_hash, password_origin, email_proved_at, created_at)
     values ($1, $2, $3, $4, $5, $6, $7) on conflict (email_folded) do nothing returning 1`,
    [
      user.id,
      user.email,
      foldEmail(user.email),
      passwordHash,
      passwordHash === null ? null : madeBy,
      madeBy === 'OPERATOR' ? isoDateTime(now) : null,
      isoDateTime(now),
    ],
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
  const folded = name === null ? null : fold(name);
  const rows = await tx.query(
    `insert into memberships
       (organization_id, user_id, role, name, name_folded, status, created_at, updated_at)
     values ($1, $2, $3, $4, $5, $6, $7, $7)
     on conflict (organization_id, user_id) do nothing returning 1`,
    [organizationId, userId, role, name, folded, status, isoDateTime(now)],
  );
  return rows.length > 0;
}

export async function insertInvitation(
  tx: Transaction,
  organizationId: string,
  invitation: { id: string; tokenHash: Buffer; userId: string; now: number; expiresAt: number },
): Promise<void> {
  await tx.query(
    `insert into invitations (id, token_hash, organization_id, user_id, created_at, expires_at)
     values ($1, $2, $3, $4, $5, $6)`,
    [
      invitation.id,
      invitation.tokenHash,
      organizationId,
      invitation.userId,
      isoDateTime(invitation.now),
      isoDateTime(invitation.expiresAt),
    ],
  );
}

export async function updateMembership(
  tx: Transaction,
  organizationId: string,
  { userId, role, name, now }: NewMembership,
): Promise<void> {
  await tx.query(
    `update memberships set role = $3, name = $4, name_folded = $5, updated_at = $6,
       revision = revision + 1
     where organization_id = $1 and user_id = $2`,
    [organizationId, userId, role, name, name === null ? null : fold(name), isoDateTime(now)],
  );
}

/**
 * Whether no other administrator is left without this one: none who has accepted, or none at all
 * where this one has not. True only while the organization is locked; without the lock two could
 * leave at once.
 */
export async function isLastAdministrator(
  tx: Transaction,
  organizationId: string,
  userId: string,
): Promise<boolean> {
  const rows = await tx.query(
    `select 1 from memberships own
     where own.organization_id = $1 and own.user_id = $2 and own.role = 'ADMINISTRATOR'
       and not exists (
         select from memberships other
         where other.organization_id = $1 and other.user_id <> $2
           and other.role = 'ADMINISTRATOR'
           and (other.status = 'ACTIVE' or own.status = 'INVITED'))`,
    [organizationId, userId],
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
  await tx.query('delete from memberships where organization_id = $1 and user_id = $2', [
    organizationId,
    userId,
  ]);
  await tx.query(
    `delete from users
     where id = $1 and not exists (select from memberships where user_id = $1)`,
    [userId],
  );
}
