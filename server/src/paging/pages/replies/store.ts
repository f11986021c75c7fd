import type { PhoneKind } from '@fieldwatch/contract';
import { isoDateTime } from '../../../runtime/index.ts';
import { type Queries, run, sql } from '../../../storage/index.ts';

export interface PhoneOwner {
  readonly userId: string;
  readonly phone: string;
  readonly kind: PhoneKind;
}

/** The email of the member who has verified that a number is theirs; null for anyone else. */
export async function findOwner(
  db: Queries,
  organizationId: string,
  { userId, phone, kind }: PhoneOwner,
): Promise<string | null> {
  const [row] = await run<{ email: string }>(
    db,
    sql`select email from contact_methods method
        join memberships m on m.organization_id = method.organization_id
          and m.user_id = method.user_id and m.status = 'ACTIVE'
        join users on users.id = m.user_id
        where method.organization_id = ${organizationId} and method.user_id = ${userId}
          and method.kind = ${kind} and method.address = ${phone}
          and method.verified_at is not null
        limit 1`,
  );
  return row?.email ?? null;
}

/** Whether texts to a number reach a member who has verified it. */
export async function isKnownNumber(
  db: Queries,
  organizationId: string,
  phone: string,
): Promise<boolean> {
  const rows = await run(
    db,
    sql`select 1 from contact_methods where organization_id = ${organizationId}
          and kind = 'SMS' and address = ${phone} and verified_at is not null limit 1`,
  );
  return rows.length > 0;
}

/** Whether somebody has escalated a page in this way since then. */
export async function hasEscalated(
  db: Queries,
  organizationId: string,
  of: {
    readonly pageId: string;
    readonly actor: string;
    readonly detail: string;
    readonly since: number;
  },
): Promise<boolean> {
  const rows = await run(
    db,
    sql`select 1 from page_log where organization_id = ${organizationId} and page_id = ${of.pageId}
          and kind = 'ESCALATED' and actor = ${of.actor} and detail = ${of.detail}
          and at > ${isoDateTime(of.since)} limit 1`,
  );
  return rows.length > 0;
}
