import type { ContactKind, NotificationBand, QuietHours } from '@fieldwatch/contract';
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

/** Whose contact methods and rules. */
export interface MemberName {
  readonly organizationId: string;
  readonly userId: string;
}

export interface MethodRow {
  readonly id: string;
  readonly kind: ContactKind;
  readonly address: string;
  readonly position: number;
  readonly verifiedAt: number | null;
  readonly codeExpiresAt: number | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

const ADDRESS = sql`coalesce(method.address, method.push_id::text, method.webhook_id::text, '')`;

const COLUMNS = sql`method.id, method.kind, ${ADDRESS} as address, method.position,
  method.verified_at as "verifiedAt", method.code_expires_at as "codeExpiresAt",
  method.created_at as "createdAt", method.updated_at as "updatedAt", method.revision`;

const OF_USER = sql`contact_methods method`;
const IN_ORDER = sql`method.position, method.id`;

function ofMember({ organizationId, userId }: MemberName) {
  return sql`method.organization_id = ${organizationId} and method.user_id = ${userId}`;
}

export function listMethods(
  db: Queries,
  member: MemberName,
  request: PageRequest,
): Promise<Page<MethodRow>> {
  const where = ofMember(member);
  return page(db, { columns: COLUMNS, from: OF_USER, where, order: IN_ORDER }, request);
}

/** All of them; the member is locked, so that they change one at a time. */
export async function lockMethods(tx: Transaction, member: MemberName): Promise<MethodRow[]> {
  await run(
    tx,
    sql`select 1 from memberships where organization_id = ${member.organizationId}
          and user_id = ${member.userId} for no key update`,
  );
  return await run<MethodRow>(
    tx,
    sql`select ${COLUMNS} from ${OF_USER} where ${ofMember(member)} order by ${IN_ORDER}`,
  );
}

export interface NewMethod {
  readonly id: string;
  readonly kind: ContactKind;
  readonly address: string | null;
  readonly pushId: string | null;
  readonly webhookId: string | null;
  readonly position: number;
  readonly verifiedAt: number | null;
}

export function insertMethod(
  tx: Transaction,
  { organizationId, userId }: MemberName,
  method: NewMethod,
  now: number,
): Promise<MethodRow> {
  const at = isoDateTime(now);
  const verifiedAt = method.verifiedAt === null ? null : isoDateTime(method.verifiedAt);
  return saved(
    run<MethodRow>(
      tx,
      sql`insert into contact_methods as method (organization_id, id, user_id, kind, address,
            push_id, webhook_id, position, verified_at, created_at, updated_at)
          values (${organizationId}, ${method.id}, ${userId}, ${method.kind}, ${method.address},
            ${method.pushId}, ${method.webhookId}, ${method.position}, ${verifiedAt}, ${at}, ${at})
          returning ${COLUMNS}`,
    ),
  );
}

/** Numbers the contact methods in the order of their ids; those whose place changes get a new revision. */
export async function orderMethods(
  tx: Transaction,
  organizationId: string,
  ids: readonly string[],
  now: number,
): Promise<void> {
  await run(
    tx,
    sql`update contact_methods set position = placed.place - 1, updated_at = ${isoDateTime(now)},
          revision = revision + 1
        from unnest(${ids}::uuid[]) with ordinality as placed (id, place)
        where organization_id = ${organizationId} and contact_methods.id = placed.id
          and position <> placed.place - 1`,
  );
}

export async function deleteMethod(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<void> {
  await run(
    tx,
    sql`delete from contact_methods where organization_id = ${organizationId} and id = ${id}`,
  );
}

/** The name of a user's own web push subscription; null when there is none of this id. */
export async function hasPushSubscription(
  tx: Transaction,
  { organizationId, userId }: MemberName,
  id: string,
): Promise<boolean> {
  const rows = await run(
    tx,
    sql`select 1 from web_push_subscriptions where organization_id = ${organizationId}
          and user_id = ${userId} and id = ${id} for key share`,
  );
  return rows.length > 0;
}

export interface RulesRow {
  readonly bands: readonly NotificationBand[];
  readonly quietHours: QuietHours | null;
  readonly updatedAt: number;
  readonly revision: number;
}

const RULES = sql`bands, quiet_hours as "quietHours", updated_at as "updatedAt", revision`;

export async function findRules(
  db: Queries,
  { organizationId, userId }: MemberName,
): Promise<RulesRow | null> {
  const [row] = await run<RulesRow>(
    db,
    sql`select ${RULES} from notification_rules
        where organization_id = ${organizationId} and user_id = ${userId}`,
  );
  return row ?? null;
}

export function saveRules(
  tx: Transaction,
  { organizationId, userId }: MemberName,
  { bands, quietHours }: Pick<RulesRow, 'bands' | 'quietHours'>,
  now: number,
): Promise<RulesRow> {
  const quiet = quietHours === null ? null : JSON.stringify(quietHours);
  return saved(
    run<RulesRow>(
      tx,
      sql`insert into notification_rules (organization_id, user_id, bands, quiet_hours, updated_at)
          values (${organizationId}, ${userId}, ${JSON.stringify(bands)}, ${quiet},
            ${isoDateTime(now)})
          on conflict (organization_id, user_id) do update set bands = excluded.bands,
            quiet_hours = excluded.quiet_hours, updated_at = excluded.updated_at,
            revision = notification_rules.revision + 1
          returning ${RULES}`,
    ),
  );
}

export interface WishesRow extends MemberName {
  readonly email: string;
  readonly bands: readonly NotificationBand[];
  readonly quietHours: QuietHours | null;
}

/** The rules of those who are members. */
export function listWishes(db: Queries, wanted: readonly MemberName[]): Promise<WishesRow[]> {
  return run(
    db,
    sql`select distinct on (m.organization_id, m.user_id) m.organization_id as "organizationId",
          m.user_id as "userId", u.email, coalesce(rules.bands, '[]') as bands,
          rules.quiet_hours as "quietHours"
        from json_to_recordset(${JSON.stringify(wanted)}) as asked
          ("organizationId" uuid, "userId" uuid)
        join memberships m on m.organization_id = "organizationId" and m.user_id = "userId"
          and m.status = 'ACTIVE'
        join users u on u.id = m.user_id
        left join notification_rules rules on rules.organization_id = m.organization_id
          and rules.user_id = m.user_id`,
  );
}

export interface OwnedMethodRow extends MemberName {
  readonly id: string;
  readonly kind: ContactKind;
  readonly address: string;
  readonly isVerified: boolean;
  readonly position: number;
}

/** In their order. */
export function listMethodsOf(
  db: Queries,
  wanted: readonly MemberName[],
): Promise<OwnedMethodRow[]> {
  return run(
    db,
    sql`select distinct method.organization_id as "organizationId", method.user_id as "userId",
          method.id, method.kind, ${ADDRESS} as address,
          method.verified_at is not null as "isVerified", method.position
        from json_to_recordset(${JSON.stringify(wanted)}) as asked
          ("organizationId" uuid, "userId" uuid)
        join contact_methods method on method.organization_id = "organizationId"
          and method.user_id = "userId"
        order by method.position, method.id`,
  );
}

export async function saveCode(
  tx: Transaction,
  organizationId: string,
  id: string,
  { digest, expiresAt }: { readonly digest: Buffer; readonly expiresAt: number },
): Promise<void> {
  await run(
    tx,
    sql`update contact_methods set code_digest = ${digest},
          code_expires_at = ${isoDateTime(expiresAt)}, wrong_codes = 0
        where organization_id = ${organizationId} and id = ${id}`,
  );
}

export interface CodeRow {
  readonly digest: Buffer;
  readonly expiresAt: number;
  readonly wrongCodes: number;
}

/** The code that was sent last; null when it was used or guessed wrong too often. */
export async function findCode(
  tx: Transaction,
  organizationId: string,
  id: string,
): Promise<CodeRow | null> {
  const [row] = await run<CodeRow>(
    tx,
    sql`select code_digest as digest, code_expires_at as "expiresAt", wrong_codes as "wrongCodes"
        from contact_methods
        where organization_id = ${organizationId} and id = ${id} and code_digest is not null
          and code_expires_at is not null`,
  );
  return row ?? null;
}

export async function countWrongCode(
  tx: Transaction,
  organizationId: string,
  id: string,
  isEnded: boolean,
): Promise<void> {
  await run(
    tx,
    sql`update contact_methods set wrong_codes = wrong_codes + 1,
          code_digest = case when ${isEnded} then null else code_digest end,
          code_expires_at = case when ${isEnded} then null else code_expires_at end
        where organization_id = ${organizationId} and id = ${id}`,
  );
}

export async function markVerified(
  tx: Transaction,
  organizationId: string,
  id: string,
  now: number,
): Promise<void> {
  const at = isoDateTime(now);
  await run(
    tx,
    sql`update contact_methods set verified_at = ${at}, updated_at = ${at}, code_digest = null,
          code_expires_at = null, revision = revision + 1
        where organization_id = ${organizationId} and id = ${id}`,
  );
}
