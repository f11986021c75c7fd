import { run, sql, type Transaction } from '../../../storage/index.ts';
import { findDoor, type PushDoor } from '../../push/index.ts';
import type { TargetName } from '../leases/index.ts';
import type { PhoneDoor } from '../phone-channel.ts';
import type { WebhookDoor } from '../webhook-channel.ts';

interface TargetHealth {
  readonly failures: number;
  readonly openDigestId: string | null;
}

/** One of the four is set: where the target is. */
export type TargetState = TargetHealth &
  (
    | { readonly email: string; readonly webhook: null; readonly push: null; readonly phone: null }
    | {
        readonly email: null;
        readonly webhook: WebhookDoor;
        readonly push: null;
        readonly phone: null;
      }
    | {
        readonly email: null;
        readonly webhook: null;
        readonly push: PushDoor;
        readonly phone: null;
      }
    | {
        readonly email: null;
        readonly webhook: null;
        readonly push: null;
        readonly phone: PhoneDoor;
      }
  );

/** The columns of a webhook are null for every other target. */
type TargetStateRow = TargetHealth &
  (
    | ({ readonly email: string; readonly pushId: null } & NoPhone & NoWebhook)
    | ({ readonly email: null; readonly pushId: string } & NoPhone & NoWebhook)
    | ({ readonly email: null; readonly pushId: null } & Phone & NoWebhook)
    | ({ readonly email: null; readonly pushId: null } & NoPhone & WebhookDoor)
  );

type Phone = { readonly phone: string; readonly phoneKind: PhoneDoor['kind'] };
type NoPhone = Readonly<Record<keyof Phone, null>>;
type NoWebhook = Readonly<Record<keyof WebhookDoor, null>>;

/** The target as it is now, kept from changing; null when it is gone. */
export async function lockTarget(
  tx: Transaction,
  { organizationId, id }: TargetName,
): Promise<TargetState | null> {
  const [row] = await run<TargetStateRow>(
    tx,
    sql`select failures, open_digest_id as "openDigestId", email,
          push_id as "pushId", phone, phone_kind as "phoneKind", name, url, is_active as "isActive",
          webhooks.organization_id as "organizationId", webhooks.id as "webhookId", sealed_secret as "encryptedSecret", previous_sealed_secret as "previousSealedSecret",
          previous_secret_until as "previousSecretUntil", format, destination,
          encrypted_credential as "encryptedCredential", template
        from notification_targets target left join webhooks
          on webhooks.organization_id = target.organization_id and webhooks.id = target.webhook_id
        where target.organization_id = ${organizationId} and target.id = ${id}
        for no key update of target`,
  );
  if (!row) return null;
  const { failures, openDigestId } = row;
  const health = { failures, openDigestId };
  const none = { email: null, webhook: null, push: null, phone: null } as const;
  if (row.email !== null) return { ...health, ...none, email: row.email };
  if (row.pushId !== null) {
    const push = await findDoor(tx, organizationId, row.pushId);
    return push && { ...health, ...none, push };
  }
  if (row.phone !== null) {
    return { ...health, ...none, phone: { number: row.phone, kind: row.phoneKind } };
  }
  const { failures: _, openDigestId: __, email, pushId, phone, phoneKind, ...webhook } = row;
  return { ...health, ...none, webhook };
}
