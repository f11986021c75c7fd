import { isoDateTime } from '../../runtime/index.ts';
import { type Queries, run, sql, type Transaction } from '../../storage/index.ts';

/** A number, in one organization. */
export interface NumberName {
  readonly organizationId: string;
  readonly phone: string;
}

export interface OpenCode {
  readonly code: string;
  readonly pageId: string;
  readonly userId: string;
}

/** The codes of the pages that are open at a number. */
export function listCodes(
  tx: Transaction,
  { organizationId, phone }: NumberName,
): Promise<OpenCode[]> {
  return run(
    tx,
    sql`select code, page_id as "pageId", user_id as "userId" from page_reply_codes
        where organization_id = ${organizationId} and phone = ${phone} order by code`,
  );
}

export async function insertCode(
  tx: Transaction,
  { organizationId, phone }: NumberName,
  { code, pageId, userId }: OpenCode,
  now: number,
): Promise<void> {
  await run(
    tx,
    sql`insert into page_reply_codes (organization_id, phone, code, page_id, user_id, created_at)
        values (${organizationId}, ${phone}, ${code}, ${pageId}, ${userId}, ${isoDateTime(now)})`,
  );
}

/** The code answers for somebody else from now on. */
export async function moveCode(
  tx: Transaction,
  { organizationId, phone }: NumberName,
  { code, userId }: Pick<OpenCode, 'code' | 'userId'>,
): Promise<void> {
  await run(
    tx,
    sql`update page_reply_codes set user_id = ${userId}
        where organization_id = ${organizationId} and phone = ${phone} and code = ${code}`,
  );
}

/** What a code means at a number; null when it means nothing. */
export async function findReplyCode(
  db: Queries,
  { organizationId, phone }: NumberName,
  code: string,
): Promise<OpenCode | null> {
  const [row] = await run<OpenCode>(
    db,
    sql`select code, page_id as "pageId", user_id as "userId" from page_reply_codes
        where organization_id = ${organizationId} and phone = ${phone} and code = ${code}`,
  );
  return row ?? null;
}

/** The page has ended: its codes may stand for other pages. */
export async function freeReplyCodes(
  tx: Transaction,
  organizationId: string,
  pageId: string,
): Promise<void> {
  await run(
    tx,
    sql`delete from page_reply_codes
        where organization_id = ${organizationId} and page_id = ${pageId}`,
  );
}
