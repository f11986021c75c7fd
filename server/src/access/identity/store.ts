import type { Role } from '@fieldwatch/contract';
import { isoDateTime } from '../../runtime/index.ts';
import { type Queries, run, sql } from '../../storage/index.ts';
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
  const [row] = await run<KeyRow>(
    db,
    sql`select id, organization_id as "organizationId", name, secret_hash as "secretHash",
          permissions, expires_at as "expiresAt", last_used_at as "lastUsedAt"
        from api_keys where id = ${id}`,
  );
  return row ?? null;
}

export interface SessionRow {
  readonly userId: string;
  readonly expiresAt: number;
}

export async function findSession(db: Queries, id: string): Promise<SessionRow | null> {
  const [row] = await run<SessionRow>(
    db,
    sql`select user_id as "userId", expires_at as "expiresAt" from sessions where id = ${id}`,
  );
  return row ?? null;
}

export interface PersonRow {
  readonly id: string;
  readonly email: string;
  readonly lastSignInAt: number | null;
  readonly memberships: readonly { readonly organizationId: string; readonly role: Role }[];
}

const PERSON = sql`select u.id, u.email, u.last_sign_in_at as "lastSignInAt", coalesce(
    json_agg(json_build_object('organizationId', m.organization_id, 'role', m.role))
      filter (where m.user_id is not null), '[]') as memberships
  from users u left join memberships m on m.user_id = u.id and m.status = 'ACTIVE'`;

export async function findPerson(db: Queries, id: string): Promise<PersonRow | null> {
  const [row] = await run<PersonRow>(db, sql`${PERSON} where u.id = ${id} group by u.id`);
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
  const [row] = await run<{ userId: string }>(
    db,
    sql`select user_id as "userId" from user_identities where issuer = ${issuer}
          and subject = ${subject}`,
  );
  return row?.userId ?? null;
}

/** Binds the subject to the user with this email, unless one of them is bound already. */
export async function bindUser(
  db: Queries,
  { issuer, subject }: Subject,
  { emailFolded, now }: { readonly emailFolded: string; readonly now: number },
): Promise<void> {
  await run(
    db,
    sql`insert into user_identities (issuer, subject, user_id, created_at)
        select ${issuer}, ${subject}, id, ${isoDateTime(now)} from users
          where email_folded = ${emailFolded}
        on conflict do nothing`,
  );
}

export async function isEmailKnown(db: Queries, emailFolded: string): Promise<boolean> {
  const rows = await run(db, sql`select 1 from users where email_folded = ${emailFolded}`);
  return rows.length > 0;
}

/** A key that is being edited is left out: its next use is noted soon enough. */
export async function saveLastUsed(db: Queries, uses: readonly Use[]): Promise<void> {
  await run(
    db,
    sql`update api_keys set last_used_at = used.at
        from (
          select k.id, u.at
          from unnest(${idsOf(uses)}::text[], ${timesOf(uses)}::timestamptz[]) as u (id, at) join
            api_keys k on k.id = u.id
          for update of k skip locked
        ) used
        where api_keys.id = used.id
          and (api_keys.last_used_at is null or api_keys.last_used_at < used.at)`,
  );
}

/** For users who sign in elsewhere, where the issuer vouches for their emails. */
export async function saveLastSignIn(db: Queries, uses: readonly Use[]): Promise<void> {
  await run(
    db,
    sql`update users set last_sign_in_at = used.at,
          email_proved_at = coalesce(users.email_proved_at, used.at)
        from (
          select k.id, u.at
          from unnest(${idsOf(uses)}::uuid[], ${timesOf(uses)}::timestamptz[]) as u (id, at) join
            users k on k.id = u.id
          for no key update of k skip locked
        ) used
        where users.id = used.id
          and (users.last_sign_in_at is null or users.last_sign_in_at < used.at)`,
  );
}

const idsOf = (uses: readonly Use[]) => uses.map(({ id }) => id);
const timesOf = (uses: readonly Use[]) => uses.map(({ at }) => isoDateTime(at));
