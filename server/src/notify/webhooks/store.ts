import type { WebhookFormat, WebhookTemplate } from '@fieldwatch/contract';
import { fold, isoDateTime } from '../../runtime/index.ts';
import { rowsOf, run, saved, sql, type Transaction } from '../../storage/index.ts';

export interface WebhookRow {
  readonly id: string;
  readonly name: string;
  readonly url: string;
  readonly isActive: boolean;
  readonly format: WebhookFormat;
  readonly destination: string | null;
  readonly encryptedCredential: Buffer | null;
  readonly template: WebhookTemplate | null;
  readonly createdAt: number;
  readonly updatedAt: number;
  readonly revision: number;
}

/** What an edit may set. */
export type WebhookFields = Pick<
  WebhookRow,
  'name' | 'url' | 'isActive' | 'format' | 'destination' | 'encryptedCredential' | 'template'
>;

const COLUMNS = sql`id, name, url, is_active as "isActive", format, destination,
  encrypted_credential as "encryptedCredential", template, created_at as "createdAt",
  updated_at as "updatedAt", revision`;

const jsonOf = (template: WebhookTemplate | null) => template && JSON.stringify(template);

export const {
  find: findWebhook,
  list: listWebhooks,
  lock: lockWebhook,
  remove: deleteWebhook,
} = rowsOf<WebhookRow>('webhooks', COLUMNS);

export interface NewWebhook extends WebhookFields {
  readonly id: string;
  readonly encryptedSecret: Buffer;
  readonly now: number;
}

export async function insertWebhook(
  tx: Transaction,
  organizationId: string,
  webhook: NewWebhook,
): Promise<WebhookRow> {
  const at = isoDateTime(webhook.now);
  return saved(
    run<WebhookRow>(
      tx,
      sql`insert into webhooks (organization_id, id, name, name_folded, url, is_active,
          format, destination, encrypted_credential, template, sealed_secret, refreshed_at,
          created_at, updated_at)
        values (${organizationId}, ${webhook.id}, ${webhook.name}, ${fold(webhook.name)},
          ${webhook.url}, ${webhook.isActive}, ${webhook.format}, ${webhook.destination},
          ${webhook.encryptedCredential}, ${jsonOf(webhook.template)}, ${webhook.encryptedSecret},
          ${at}, ${at}, ${at})
        returning ${COLUMNS}`,
    ),
  );
}

export async function updateWebhook(
  tx: Transaction,
  organizationId: string,
  id: string,
  fields: WebhookFields,
  now: number,
): Promise<WebhookRow> {
  return saved(
    run<WebhookRow>(
      tx,
      sql`update webhooks set name = ${fields.name}, name_folded = ${fold(fields.name)},
          url = ${fields.url}, is_active = ${fields.isActive}, format = ${fields.format},
          destination = ${fields.destination}, encrypted_credential = ${fields.encryptedCredential},
          template = ${jsonOf(fields.template)}, updated_at = ${isoDateTime(now)},
          revision = revision + 1
        where organization_id = ${organizationId} and id = ${id} returning ${COLUMNS}`,
    ),
  );
}

/** A webhook with a new address is tried there at once, whatever happened at the old one. */
export async function retryNow(
  tx: Transaction,
  organizationId: string,
  id: string,
  now: number,
): Promise<void> {
  const at = isoDateTime(now);
  await run(
    tx,
    sql`update notification_targets set failures = 0, rest_until = null, next_at = ${at}
        where organization_id = ${organizationId} and webhook_id = ${id}`,
  );
  await run(
    tx,
    sql`update deliveries set next_at = ${at} from notification_targets target
        where target.organization_id = ${organizationId} and target.webhook_id = ${id}
          and deliveries.organization_id = target.organization_id
          and deliveries.target_id = target.id and state = 'PENDING'
          and deliveries.id is distinct from open_digest_id`,
  );
}

/** The secret up to now signs along until the given time; one before it ends at once. */
export async function rotateSecret(
  tx: Transaction,
  organizationId: string,
  id: string,
  { encryptedSecret, previousUntil }: { encryptedSecret: Buffer; previousUntil: number },
): Promise<void> {
  await run(
    tx,
    sql`update webhooks set sealed_secret = ${encryptedSecret}, previous_sealed_secret = sealed_secret,
          previous_secret_until = ${isoDateTime(previousUntil)}
        where organization_id = ${organizationId} and id = ${id}`,
  );
}
