import { isoDateTime } from '../../runtime/index.ts';
import { type Queries, run, sql, type Transaction } from '../../storage/index.ts';

// A user may belong to several organizations, so nothing here is scoped to one.

export interface UserRow {
  readonly id: string;
  readonly email: string;
  readonly passwordHash: string | null;
}

const USER = sql`id, email, password_hash as "passwordHash"`;

export async function findUserByEmail(db: Queries, emailFolded: string): Promise<UserRow | null> {
  const [row] = await run<UserRow>(
    db,
    sql`select ${USER} from users where email_folded = ${emailFolded}`,
  );
  return row ?? null;
}

export async function findUser(db: Queries, id: string): Promise<UserRow | null> {
  const [row] = await run<UserRow>(db, sql`select ${USER} from users where id = ${id}`);
  return row ?? null;
}

/** False when the password is no longer the one that was checked. */
export async function saveSignIn(tx: Transaction, user: UserRow, now: number): Promise<boolean> {
  const rows = await run(
    tx,
    sql`update users set last_sign_in_at = ${isoDateTime(now)}
        where id = ${user.id} and password_hash = ${user.passwordHash} returning 1`,
  );
  return rows.length > 0;
}

/** For a user whose email the identity provider vouches for. */
export async function saveSignInElsewhere(
  tx: Transaction,
  userId: string,
  now: number,
): Promise<void> {
  await run(
    tx,
    sql`update users set last_sign_in_at = ${isoDateTime(now)},
          email_proved_at = coalesce(email_proved_at, ${isoDateTime(now)})
        where id = ${userId}`,
  );
}

/** False when the password is no longer the one that was checked. */
export async function savePassword(
  tx: Transaction,
  user: UserRow,
  passwordHash: string,
): Promise<boolean> {
  const rows = await run(
    tx,
    sql`update users set password_hash = ${passwordHash},
          password_origin = case password_origin when 'OPERATOR' then 'OPERATOR' else 'PERSON' end
        where id = ${user.id} and password_hash is not distinct from ${user.passwordHash}
          returning 1`,
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
  await run(
    tx,
    sql`insert into known_addresses (user_id, address, last_used_at)
          values (${userId}, ${address}, ${isoDateTime(now)})
        on conflict (user_id, address) do update set last_used_at = excluded.last_used_at`,
  );
  await run(
    tx,
    sql`delete from known_addresses where user_id = ${userId} and address in (
       select address from known_addresses where user_id = ${userId}
       order by last_used_at desc, address offset ${MAX_KNOWN_ADDRESSES})`,
  );
}

export async function isKnownAddress(
  db: Queries,
  emailFolded: string,
  address: string,
): Promise<boolean> {
  const rows = await run(
    db,
    sql`select 1 from known_addresses k join users u on u.id = k.user_id
        where u.email_folded = ${emailFolded} and k.address = ${address}`,
  );
  return rows.length > 0;
}
