import type { Role } from '@fieldwatch/contract';
import { isoDateTime } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import type { Use } from './last-used.ts';

// Credentials name no organization: these find out which ones they belong to.

export interface KeyRow {
  readonly id: string;
  readonly organizationId: string;
  readonly name: string;
  readonly secretHash: string;
  readonly permissions: readonly string[];
  readonly expiresAt: number | null;
  readonly lastUsedAt: number | null;
}

export async function findKey(db: Queries, id: string): Promise<KeyRow | null> {
  const [row] = await db.query<KeyRow>(
    `select id, organization_id as "organizationId", name, secret_hash as "secretHash",
       permissions, expires_at as "expiresAt", last_used_at as "lastUsedAt"
     from api_keys where id = $1`,
    [id],
  );
  return row ?? null;
}

export interface SessionRow {
  readonly userId: string;
  readonly expiresAt: number;
}

export async function findSession(db: Queries, id: string): Promise<SessionRow | null> {
  const [row] = await db.query<SessionRow>(
    'select user_id as "userId", expires_at as "expiresAt" from sessions where id = $1',
    [id],
  );
  return row ?? null;
}

export interface PersonRow {
  readonly id: string;
  readonly email: string;
  readonly lastSignInAt: number | null;
  readonly memberships: readonly { readonly organizationId: string; readonly role: Role }[];
}

const PERSON = `select u.id, u.email, u.last_sign_in_at as "lastSignInAt", coalesce(
    json_agg(json_build_object('organizationId', m.organization_id, 'role', m.role))
      filter (where m.user_id is not null), '[]') as memberships
  from users u left join memberships m on m.user_id = u.id and m.status = 'ACTIVE'`;

export async function findPerson(db: Queries, id: string): Promise<PersonRow | null> {
  const [row] = await db.query<PersonRow>(`${PERSON} where u.id = $1 group by u.id`, [id]);
  return row ?? null;
}

/** An account at an identity provider. */
export interface Subject {
  readonly issuer: string;
  readonly subject: string;
}

/** The id of the user that a subject is bound to. */
export async function findBoundUser(
  db: Queries,
  { issuer, subject }: Subject,
): Promise<string | null> {
  const [row] = await db.query<{ userId: string }>(
    'select user_id as "userId" from user_identities where issuer = $1 and subject = $2',
    [issuer, subject],
  );
  return row?.userId ?? null;
}

/** Binds the subject to the user with this email, unless one of them is bound already. */
export async function bindUser(
  db: Queries,
  { issuer, subject }: Subject,
  { emailFolded, now }: { readonly emailFolded: string; readonly now: number },
): Promise<void> {
  await db.query(
    `insert into user_identities (issuer, subject, user_id, created_at)
     select $1, $2, id, $4 from users where email_folded = $3
     on conflict do nothing`,
    [issuer, subject, emailFolded, isoDateTime(now)],
  );
}

export async function isEmailKnown(db: Queries, emailFolded: string): Promise<boolean> {
  const rows = await db.query('select 1 from users where email_folded = $1', [emailFolded]);
  return rows.length > 0;
}

/** A key that is being edited is left out: its next use is noted soon enough. */
export async function saveLastUsed(db: Queries, uses: readonly Use[]): Promise<void> {
  await db.query(
    `update api_keys set last_used_at = used.at
     from (
       select k.id, u.at
       from unnest($1::text[], $2::timestamptz[]) as u (id, at) join api_keys k on k.id = u.id
       for update of k skip locked
     ) used
     where api_keys.id = used.id
       and (api_keys.last_used_at is null or api_keys.last_used_at < used.at)`,
    columnsOf(uses),
  );
}

/** For users who sign in elsewhere, where the issuer vouches for their emails. */
export async function saveLastSignIn(db: Queries, uses: readonly Use[]): Promise<void> {
  await db.query(
    `update users set last_sign_in_at = used.at,
       email_proved_at = coalesce(users.email_proved_at, used.at)
     from (
       select k.id, u.at
       from unnest($1::uuid[], $2::timestamptz[]) as u (id, at) join users k on k.id = u.id
       for no key update of k skip locked
     ) used
     where users.id = used.id
       and (users.last_sign_in_at is null or users.last_sign_in_at < used.at)`,
    columnsOf(uses),
  );
}

function columnsOf(uses: readonly Use[]): [ids: string[], times: string[]] {
  return [uses.map(({ id }) => id), uses.map(({ at }) => isoDateTime(at))];
}
