import type { Role } from '@fieldwatch/contract';
import { isoDateTime } from '../../runtime/index.ts';
import { type Queries, run, sql, type Transaction } from '../../storage/index.ts';
import { lockUser } from '../memberships/index.ts';
import type { PasswordOrigin } from './consent.ts';

export interface InvitationRow {
  readonly id: string;
  readonly tokenHash: Buffer;
  readonly organizationId: string;
  readonly organizationName: string;
  readonly role: Role;
  readonly status: 'ACTIVE' | 'INVITED';
  readonly createdAt: number;
  readonly expiresAt: number;
  readonly userId: string;
  readonly email: string;
  readonly passwordHash: string | null;
  readonly passwordOrigin: PasswordOrigin | null;
  readonly isEmailProved: boolean;
}

const INVITATION = sql`select i.id, i.token_hash as "tokenHash", i.organization_id as "organizationId",
    o.name as "organizationName", m.role, m.status, i.created_at as "createdAt",
    i.expires_at as "expiresAt", u.id as "userId", u.email, u.password_hash as "passwordHash",
    u.password_origin as "passwordOrigin", u.email_proved_at is not null as "isEmailProved"
  from invitations i
    join memberships m on m.organization_id = i.organization_id and m.user_id = i.user_id
    join organizations o on o.id = i.organization_id
    join users u on u.id = i.user_id`;

export async function findByToken(
  db: Queries,
  tokenHash: Buffer,
  now: number,
): Promise<InvitationRow | null> {
  const [row] = await run<InvitationRow>(
    db,
    sql`${INVITATION} where i.token_hash = ${tokenHash} and i.expires_at > ${isoDateTime(now)}`,
  );
  return row ?? null;
}

/** What a user was invited to and did not accept yet, the newest first. */
export function listOpen(db: Queries, userId: string, now: number): Promise<InvitationRow[]> {
  return run<InvitationRow>(
    db,
    sql`${INVITATION} where i.user_id = ${userId} and m.status = 'INVITED'
          and i.expires_at > ${isoDateTime(now)}
        order by i.created_at desc, i.id desc`,
  );
}

/** The invitation, once no other request works on its user. */
export async function lockInvitation(
  tx: Transaction,
  { id, userId }: { readonly id: string; readonly userId: string },
  now: number,
): Promise<InvitationRow | null> {
  await lockUser(tx, userId);
  const [row] = await run<InvitationRow>(
    tx,
    sql`${INVITATION} where i.id = ${id} and i.user_id = ${userId}
          and i.expires_at > ${isoDateTime(now)}`,
  );
  return row ?? null;
}

/** The invitations of one organization; those of others stay open. */
export async function deleteInvitations(
  tx: Transaction,
  organizationId: string,
  userId: string,
): Promise<void> {
  await run(
    tx,
    sql`delete from invitations where organization_id = ${organizationId} and user_id = ${userId}`,
  );
}

export async function activateMembership(
  tx: Transaction,
  organizationId: string,
  userId: string,
  now: number,
): Promise<void> {
  await run(
    tx,
    sql`update memberships set status = 'ACTIVE', updated_at = ${isoDateTime(now)},
          revision = revision + 1
        where organization_id = ${organizationId} and user_id = ${userId} and status = 'INVITED'`,
  );
}

export async function setPassword(
  tx: Transaction,
  userId: string,
  passwordHash: string | null,
): Promise<void> {
  await run(
    tx,
    sql`update users set password_hash = ${passwordHash},
          password_origin = ${passwordHash === null ? null : 'PERSON'} where id = ${userId}`,
  );
}

export async function saveSignIn(tx: Transaction, userId: string, now: number): Promise<void> {
  await run(tx, sql`update users set last_sign_in_at = ${isoDateTime(now)} where id = ${userId}`);
}

export interface OtherMembership {
  readonly organizationId: string;
  readonly role: Role;
}

/** Where else the user belongs, in an order that two requests lock alike. */
export function listOtherMemberships(
  db: Queries,
  organizationId: string,
  userId: string,
): Promise<OtherMembership[]> {
  return run<OtherMembership>(
    db,
    sql`select organization_id as "organizationId", role from memberships
        where user_id = ${userId} and organization_id <> ${organizationId} and status = 'ACTIVE'
        order by organization_id`,
  );
}

export async function suspendMembership(
  tx: Transaction,
  organizationId: string,
  userId: string,
  now: number,
): Promise<void> {
  await run(
    tx,
    sql`update memberships set status = 'INVITED', updated_at = ${isoDateTime(now)},
          revision = revision + 1
        where organization_id = ${organizationId} and user_id = ${userId}`,
  );
}
