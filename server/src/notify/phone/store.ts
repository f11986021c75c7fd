import type { PhoneKind } from '@fieldwatch/contract';
import { fold, isoDateTime } from '../../runtime/index.ts';
import { type Queries, rowsOf, run, saved, sql, type Transaction } from '../../storage/index.ts';
import type { ChannelSettings } from './request.ts';

export interface PhoneChannelRow extends ChannelSettings {
  readonly organizationId: string;
  readonly id: string;
  readonly name: string;
  readonly isActive: boolean;
  readonly encryptedCredential: Buffer | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

/** What an edit may set. */
export type PhoneChannelFields = Omit<
  PhoneChannelRow,
  'organizationId' | 'id' | 'createdAt' | 'updatedAt' | 'revision'
>;

const COLUMNS = sql`organization_id as "organizationId", id, name, kind, is_active as "isActive",
  method, url, headers, content_type as "contentType", body, sender as "from",
  success_text as "successText", replies, receipts, signature, encrypted_credential as "encryptedCredential",
  created_at as "createdAt", updated_at as "updatedAt", revision`;

export const {
  find: findChannel,
  list: listChannels,
  lock: lockChannel,
  remove: deleteChannel,
} = rowsOf<PhoneChannelRow>('phone_channels', COLUMNS);

const jsonOf = (value: object | null) => (value === null ? null : JSON.stringify(value));

/** The channels that send messages of a kind, the oldest first. */
export function listActiveChannels(
  db: Queries,
  organizationId: string,
  kind: PhoneKind,
): Promise<PhoneChannelRow[]> {
  return run(
    db,
    sql`select ${COLUMNS} from phone_channels
        where organization_id = ${organizationId} and kind = ${kind} and is_active
        order by created_at, id`,
  );
}

/** Whether a channel that sends texts receives the replies to them. */
export async function receivesReplies(db: Queries, organizationId: string): Promise<boolean> {
  const rows = await run(
    db,
    sql`select 1 from phone_channels where organization_id = ${organizationId} and kind = 'SMS'
          and is_active and replies is not null limit 1`,
  );
  return rows.length > 0;
}

/** The organization is locked, so that two new channels are counted one after the other. */
export async function countChannels(tx: Transaction, organizationId: string): Promise<number> {
  await run(tx, sql`select id from organizations where id = ${organizationId} for no key update`);
  const [row] = await run<{ count: number }>(
    tx,
    sql`select count(*)::int as count from phone_channels
        where organization_id = ${organizationId}`,
  );
  return row?.count ?? 0;
}

export async function insertChannel(
  tx: Transaction,
  organizationId: string,
  { id, now, ...fields }: PhoneChannelFields & { readonly id: string; readonly now: number },
): Promise<PhoneChannelRow> {
  const at = isoDateTime(now);
  return saved(
    run<PhoneChannelRow>(
      tx,
      sql`insert into phone_channels (organization_id, id, name, name_folded, kind, is_active,
          method, url, headers, content_type, body, sender, success_text, replies, receipts, signature,
          encrypted_credential, created_at, updated_at)
        values (${organizationId}, ${id}, ${fields.name}, ${fold(fields.name)}, ${fields.kind},
          ${fields.isActive}, ${fields.method}, ${fields.url}, ${JSON.stringify(fields.headers)},
          ${fields.contentType}, ${fields.body}, ${fields.from}, ${fields.successText},
          ${jsonOf(fields.replies)}, ${jsonOf(fields.receipts)}, ${fields.signature},
          ${fields.encryptedCredential}, ${at}, ${at})
        returning ${COLUMNS}`,
    ),
  );
}

export async function updateChannel(
  tx: Transaction,
  organizationId: string,
  id: string,
  fields: PhoneChannelFields,
  now: number,
): Promise<PhoneChannelRow> {
  return saved(
    run<PhoneChannelRow>(
      tx,
      sql`update phone_channels set name = ${fields.name}, name_folded = ${fold(fields.name)},
          kind = ${fields.kind}, is_active = ${fields.isActive}, method = ${fields.method},
          url = ${fields.url}, headers = ${JSON.stringify(fields.headers)},
          content_type = ${fields.contentType}, body = ${fields.body}, sender = ${fields.from},
          success_text = ${fields.successText}, replies = ${jsonOf(fields.replies)},
          receipts = ${jsonOf(fields.receipts)}, signature = ${fields.signature},
          encrypted_credential = ${fields.encryptedCredential},
          updated_at = ${isoDateTime(now)}, revision = revision + 1
        where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}
