import type { Severity } from '@fieldwatch/contract';
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
import type { BrowserKeys } from './encryption.ts';

export interface KeysRow {
  readonly publicKey: Buffer;
  readonly encryptedPrivateKey: Buffer;
}

export async function findKeys(db: Queries): Promise<KeysRow | null> {
  const [row] = await run<KeysRow>(
    db,
    sql`select public_key as "publicKey", encrypted_private_key as "encryptedPrivateKey"
        from web_push_keys`,
  );
  return row ?? null;
}

export async function insertKeys(db: Queries, keys: KeysRow, now: number): Promise<void> {
  await run(
    db,
    sql`insert into web_push_keys (public_key, encrypted_private_key, created_at)
        values (${keys.publicKey}, ${keys.encryptedPrivateKey}, ${isoDateTime(now)})
        on conflict do nothing`,
  );
}

export interface SubscriptionRow {
  readonly id: string;
  readonly userId: string;
  readonly name: string;
  readonly endpoint: string;
  readonly severities: readonly Severity[];
  readonly createdAt: number;
}

const COLUMNS = sql`id, user_id as "userId", name, endpoint, severities, created_at as "createdAt"`;

export function listSubscriptions(
  db: Queries,
  organizationId: string,
  userId: string,
  request: PageRequest,
): Promise<Page<SubscriptionRow>> {
  const where = sql`organization_id = ${organizationId} and user_id = ${userId}`;
  return page(db, { columns: COLUMNS, from: sql`web_push_subscriptions`, where }, request);
}

/** Has the subscriptions of a member change one at a time. */
export async function lockMember(
  tx: Transaction,
  organizationId: string,
  userId: string,
): Promise<void> {
  await run(
    tx,
    sql`select 1 from memberships
        where organization_id = ${organizationId} and user_id = ${userId} for no key update`,
  );
}

export async function findByEndpoint(
  tx: Transaction,
  organizationId: string,
  endpoint: string,
): Promise<SubscriptionRow | null> {
  const [row] = await run<SubscriptionRow>(
    tx,
    sql`select ${COLUMNS} from web_push_subscriptions
        where organization_id = ${organizationId} and endpoint = ${endpoint}`,
  );
  return row ?? null;
}

export async function countSubscriptions(
  tx: Transaction,
  organizationId: string,
  userId: string,
): Promise<number> {
  const [row] = await run<{ count: number }>(
    tx,
    sql`select count(*) from web_push_subscriptions
        where organization_id = ${organizationId} and user_id = ${userId}`,
  );
  return row?.count ?? 0;
}

export interface NewSubscription extends Omit<SubscriptionRow, 'createdAt'>, BrowserKeys {}

/** A browser has one subscription; another user who signs in there takes it over. */
export function saveSubscription(
  tx: Transaction,
  organizationId: string,
  { id, userId, name, endpoint, severities, publicKey, authSecret }: NewSubscription,
  now: number,
): Promise<SubscriptionRow> {
  return saved(
    run<SubscriptionRow>(
      tx,
      sql`insert into web_push_subscriptions (organization_id, id, user_id, name, endpoint,
            public_key, auth_secret, severities, created_at)
          values (${organizationId}, ${id}, ${userId}, ${name}, ${endpoint}, ${publicKey},
            ${authSecret}, ${severities}, ${isoDateTime(now)})
          on conflict (organization_id, endpoint) do update set user_id = excluded.user_id,
            name = excluded.name, public_key = excluded.public_key,
            auth_secret = excluded.auth_secret, severities = excluded.severities
          returning ${COLUMNS}`,
    ),
  );
}

/** Deletes the subscription of a user; null when it is none of theirs. */
export async function deleteSubscription(
  tx: Transaction,
  organizationId: string,
  userId: string,
  id: string,
): Promise<SubscriptionRow | null> {
  const [row] = await run<SubscriptionRow>(
    tx,
    sql`delete from web_push_subscriptions
        where organization_id = ${organizationId} and user_id = ${userId} and id = ${id}
        returning ${COLUMNS}`,
  );
  return row ?? null;
}

/** A browser that messages are sent to. */
export interface PushDoor extends BrowserKeys {
  readonly id: string;
  readonly name: string;
  readonly endpoint: string;
}

export async function findDoor(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<PushDoor | null> {
  const [row] = await run<PushDoor>(
    tx,
    sql`select id, name, endpoint, public_key as "publicKey", auth_secret as "authSecret"
        from web_push_subscriptions where organization_id = ${organizationId} and id = ${id}`,
  );
  return row ?? null;
}

/** Deletes a subscription that its push service no longer knows, with what waits for it. */
export async function deleteGone(
  tx: Transaction,
  organizationId: string,
  { id, endpoint }: PushDoor,
): Promise<void> {
  await run(
    tx,
    sql`delete from web_push_subscriptions
        where organization_id = ${organizationId} and id = ${id} and endpoint = ${endpoint}`,
  );
}
