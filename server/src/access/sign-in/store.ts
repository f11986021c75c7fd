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

/** For a user whose email the identity provider vouches for. */
export async function saveSignInElsewhere(
  tx: Transaction,
  userId: string,
  now: number,
): Promise<void> {
  await tx.query(
    `update users set last_sign_in_at = $2, email_proved_at = coalesce(email_proved_at, $2)
     where id = $1`,
    [userId, isoDateTime(now)],
  );
}

/** False when the password is no longer the one that was checked. */
export async function savePassword(
  tx: Transaction,
  user: UserRow,
  passwordHash: string,
): Promise<boolean> {
  const rows = await tx.query(
    `update users set password_hash = $3,
       password_origin = case password_origin when 'OPERATOR' then 'OPERATOR' else 'PERSON' end
     where id = $1 and password_hash is not distinct from $2 returning 1`,
    [user.id, user.passwordHash, passwordHash],
  );
  return rows.length > 0;
}

const MAX_KNOWN_ADDRESSES = 20;

/** Remembers where a user signed in from: the latest addresses, a few. */
export async function saveKnownAddress(
  tx: Transaction,
  userId: string,
  address: string,
  now: number,
): Promise<void> {
  await tx.query(
    `insert into known_addresses (user_id, address, last_used_at) values ($1, $2, $3)
     on conflict (user_id, address) do update set last_used_at = excluded.last_used_at`,
    [userId, address, isoDateTime(now)],
  );
  await tx.query(
    `delete from known_addresses where user_id = $1 and address in (
       select address from known_addresses where user_id = $1
       order by last_used_at desc, address offset $2)`,
    [userId, MAX_KNOWN_ADDRESSES],
  );
}

export async function isKnownAddress(
  db: Queries,
  emailFolded: string,
  address: string,
): Promise<boolean> {
  const rows = await db.query(
    `select 1 from known_addresses k join users u on u.id = k.user_id
     where u.email_folded = $1 and k.address = $2`,
    [emailFolded, address],
  );
  return rows.length > 0;
}
