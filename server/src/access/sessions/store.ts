import { isoDateTime } from '../../runtime/index.ts';
import { type Queries, run, sql, type Transaction } from '../../storage/index.ts';

// A session is its user's, in whatever organizations they belong to.

export interface NewSession {
  readonly id: string;
  readonly userId: string;
  readonly now: number;
  readonly expiresAt: number;
  readonly address: string;
  readonly userAgent: string | null;
  readonly byProvider: boolean;
}

export async function insertSession(tx: Transaction, session: NewSession): Promise<void> {
  await run(
    tx,
    sql`insert into sessions
          (id, user_id, created_at, last_used_at, expires_at, address, user_agent, by_provider)
        values (${session.id}, ${session.userId}, ${isoDateTime(session.now)},
          ${isoDateTime(session.now)}, ${isoDateTime(session.expiresAt)}, ${session.address},
          ${session.userAgent}, ${session.byProvider})`,
  );
}

export async function insertRefreshToken(
  tx: Transaction,
  token: { hash: Buffer; sessionId: string; now: number; expiresAt: number },
): Promise<void> {
  await run(
    tx,
    sql`insert into refresh_tokens (token_hash, session_id, created_at, expires_at)
        values (${token.hash}, ${token.sessionId}, ${isoDateTime(token.now)},
          ${isoDateTime(token.expiresAt)})`,
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

const REFRESH = sql`select r.session_id as "sessionId", s.user_id as "userId", u.email,
    r.expires_at as "expiresAt", r.used_at as "usedAt", s.expires_at as "sessionExpiresAt"
  from refresh_tokens r
    join sessions s on s.id = r.session_id
    join users u on u.id = s.user_id`;

export async function findRefreshToken(db: Queries, hash: Buffer): Promise<RefreshRow | null> {
  const [row] = await run<RefreshRow>(db, sql`${REFRESH} where r.token_hash = ${hash}`);
  return row ?? null;
}

/** The token, once no other request works on its session. */
export async function lockRefreshToken(tx: Transaction, hash: Buffer): Promise<RefreshRow | null> {
  const locked = await run(
    tx,
    sql`select 1 from sessions
        where id = (select session_id from refresh_tokens where token_hash = ${hash}) for update`,
  );
  // Read after the lock is held: a request that held it before may have used the token.
  return locked.length === 0 ? null : findRefreshToken(tx, hash);
}

export async function saveRefresh(
  tx: Transaction,
  used: {
    hash: Buffer;
    sessionId: string;
    now: number;
    address: string;
    userAgent: string | null;
  },
): Promise<void> {
  await run(
    tx,
    sql`update refresh_tokens set used_at = coalesce(used_at, ${isoDateTime(used.now)})
          where token_hash = ${used.hash}`,
  );
  await run(
    tx,
    sql`update sessions set last_used_at = ${isoDateTime(used.now)}, address = ${used.address},
          user_agent = ${used.userAgent} where id = ${used.sessionId}`,
  );
}

export interface SessionRow {
  readonly id: string;
  readonly createdAt: number;
  readonly lastUsedAt: number;
  readonly expiresAt: number;
  readonly address: string | null;
  readonly userAgent: string | null;
}

/** Those that are not over, the newest first. */
export function listSessions(db: Queries, userId: string, now: number): Promise<SessionRow[]> {
  return run<SessionRow>(
    db,
    sql`select id, created_at as "createdAt", last_used_at as "lastUsedAt",
          expires_at as "expiresAt", address, user_agent as "userAgent"
        from sessions where user_id = ${userId} and expires_at > ${isoDateTime(now)}
          order by created_at desc, id desc`,
  );
}

/** Whether the identity provider vouched for the email when the session began. */
export async function isByProvider(db: Queries, id: string): Promise<boolean> {
  const [row] = await run<{ byProvider: boolean }>(
    db,
    sql`select by_provider as "byProvider" from sessions where id = ${id}`,
  );
  return row?.byProvider ?? false;
}

/** False when the user has no such session. */
export async function deleteSession(tx: Transaction, userId: string, id: string): Promise<boolean> {
  const rows = await run(
    tx,
    sql`delete from sessions where user_id = ${userId} and id = ${id} returning 1`,
  );
  return rows.length > 0;
}

/** Ends the user's sessions, but for one where it is given; answers those that it ended. */
export async function deleteSessions(
  tx: Transaction,
  userId: string,
  keptSessionId: string | null = null,
): Promise<string[]> {
  const rows = await run<{ id: string }>(
    tx,
    sql`delete from sessions where user_id = ${userId} and id is distinct from ${keptSessionId}
          returning id`,
  );
  return rows.map(({ id }) => id);
}
