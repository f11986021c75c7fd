import type { Role } from '@fieldwatch/contract';
import { isoDateTime } from '../../runtime/index.ts';
import type { Queries, Transaction } from '../../storage/index.ts';

// A user may belong to several organizations, so nothing here is scoped to one.

export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string | null;
}

const USER = 'id, email, password_hash as "passwordHash"';

export async function findUserByEmail(db: Queries, emailFolded: string): Promise<UserRow | null> {
  const [row] = await db.query<UserRow>(`select ${USER} from users where email_folded = $1`, [
    emailFolded,
  ]);
  return row ?? null;
}

export async function findUser(db: Queries, id: string): Promise<UserRow | null> {
  const [row] = await db.query<UserRow>(`select ${USER} from users where id = $1`, [id]);
  return row ?? null;
}

/** False when the password is no longer the one that was checked. */
export async function saveSignIn(tx: Transaction, user: UserRow, now: number): Promise<boolean> {
  const rows = await tx.query(
    `update users set last_sign_in_at = $3
     where id = $1 and password_hash = $2 returning 1`,
    [user.id, user.passwordHash, isoDateTime(now)],
  );
  return rows.length > 0;
}

/** For whoever somebody else has let in. */
export async function saveSignInElsewhere(
  tx: Transaction,
  userId: string,
  now: number,
): Promise<void> {
  await tx.query('update users set last_sign_in_at = $2 where id = $1', [userId, isoDateTime(now)]);
}

/** False when the password is no longer the one that was checked. */
export async function savePassword(
  tx: Transaction,
  user: UserRow,
  passwordHash: string,
): Promise<boolean> {
  const rows = await tx.query(
    `update users set password_hash = $3
     where id = $1 and password_hash is not distinct from $2 returning 1`,
    [user.id, user.passwordHash, passwordHash],
  );
  return rows.length > 0;
}

export interface BelongsTo {
  readonly organizationId: string;
  readonly organizationName: string;
  readonly role: Role;
  readonly name: string | null;
}

/** Where a user belongs, the oldest first. */
export function listBelongings(db: Queries, userId: string): Promise<BelongsTo[]> {
  return db.query<BelongsTo>(
    `select m.organization_id as "organizationId", o.name as "organizationName", m.role, m.name
     from memberships m join organizations o on o.id = m.organization_id
     where m.user_id = $1 order by m.created_at, m.organization_id`,
    [userId],
  );
}

export async function insertSession(
  tx: Transaction,
  session: { id: string; userId: string; now: number; expiresAt: number },
): Promise<void> {
  await tx.query(
    'insert into sessions (id, user_id, created_at, expires_at) values ($1, $2, $3, $4)',
    [session.id, session.userId, isoDateTime(session.now), isoDateTime(session.expiresAt)],
  );
}

export async function insertRefreshToken(
  tx: Transaction,
  token: { hash: Buffer; sessionId: string; now: number; expiresAt: number },
): Promise<void> {
  await tx.query(
    `insert into refresh_tokens (token_hash, session_id, created_at, expires_at)
     values ($1, $2, $3, $4)`,
    [token.hash, token.sessionId, isoDateTime(token.now), isoDateTime(token.expiresAt)],
  );
}

export interface RefreshRow {
  readonly sessionId: string;
  readonly userId: string;
  readonly email: string;
  readonly expiresAt: number;
  readonly usedAt: number | null;
  readonly sessionExpiresAt: number;
}

/** The token, once no other request works on its session. */
export async function lockRefreshToken(tx: Transaction, hash: Buffer): Promise<RefreshRow | null> {
  const locked = await tx.query(
    `select 1 from sessions
     where id = (select session_id from refresh_tokens where token_hash = $1) for update`,
    [hash],
  );
  if (locked.length === 0) return null;
  // Read only now: what was read before the lock may have been used by whoever held it.
  const [row] = await tx.query<RefreshRow>(
    `select r.session_id as "sessionId", s.user_id as "userId", u.email,
       r.expires_at as "expiresAt", r.used_at as "usedAt", s.expires_at as "sessionExpiresAt"
     from refresh_tokens r
       join sessions s on s.id = r.session_id
       join users u on u.id = s.user_id
     where r.token_hash = $1`,
    [hash],
  );
  return row ?? null;
}

export async function saveRefreshTokenUse(
  tx: Transaction,
  hash: Buffer,
  now: number,
): Promise<void> {
  await tx.query('update refresh_tokens set used_at = $2 where token_hash = $1', [
    hash,
    isoDateTime(now),
  ]);
}

export async function deleteSession(tx: Transaction, id: string): Promise<void> {
  await tx.query('delete from sessions where id = $1', [id]);
}

/** Ends the user's sessions but one; answers those that it ended. */
export async function deleteOtherSessions(
  tx: Transaction,
  userId: string,
  keptSessionId: string | null,
): Promise<string[]> {
  const rows = await tx.query<{ id: string }>(
    'delete from sessions where user_id = $1 and id is distinct from $2 returning id',
    [userId, keptSessionId],
  );
  return rows.map(({ id }) => id);
}

/** The invited user, while the invitation is good and no other request redeems it. */
export async function lockInvitedUser(
  tx: Transaction,
  tokenHash: Buffer,
  now: number,
): Promise<UserRow | null> {
  const [row] = await tx.query<UserRow>(
    `select u.id, u.email, u.password_hash as "passwordHash"
     from invitations i join users u on u.id = i.user_id
     where i.token_hash = $1 and i.expires_at > $2 and u.password_hash is null
     for update`,
    [tokenHash, isoDateTime(now)],
  );
  return row ?? null;
}

export async function deleteInvitations(tx: Transaction, userId: string): Promise<void> {
  await tx.query('delete from invitations where user_id = $1', [userId]);
}
