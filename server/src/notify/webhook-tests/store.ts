import { type Queries, run, sql } from '../../storage/index.ts';
import type { WebhookDoor } from '../delivery/index.ts';

/** Where a webhook is, with what signs its messages; null when there is none. */
export async function findDoor(
  db: Queries,
  organizationId: string,
  webhookId: string,
): Promise<WebhookDoor | null> {
  const [row] = await run<WebhookDoor>(
    db,
    sql`select name, url, is_active as "isActive", organization_id as "organizationId",
          id as "webhookId", sealed_secret as "encryptedSecret",
          previous_sealed_secret as "previousSealedSecret",
          previous_secret_until as "previousSecretUntil", format, destination,
          encrypted_credential as "encryptedCredential", template
        from webhooks where organization_id = ${organizationId} and id = ${webhookId}`,
  );
  return row ?? null;
}
