import { isoDateTime } from '../../runtime/index.ts';
import { run, sql, type Transaction } from '../../storage/index.ts';
import type { Destination, TextMessage } from '../fan-out/index.ts';

/** With the id of the target, unless it is known. */
type TextTarget = Destination & { readonly newTargetId: string };

/** Has one text delivered when it is due. It is about no event, so it stands for itself. */
export async function insertText(
  tx: Transaction,
  target: TextTarget,
  {
    id,
    message,
    dueAt,
  }: { readonly id: string; readonly message: TextMessage; readonly dueAt: number },
  now: number,
): Promise<void> {
  const { organizationId, email, emailFolded, webhookId, pushId, newTargetId } = target;
  const { phone, phoneKind } = 'phone' in target ? target : { phone: null, phoneKind: null };
  const at = isoDateTime(now);
  const due = isoDateTime(dueAt);
  await run(
    tx,
    sql`insert into notification_targets (organization_id, id, email, email_folded, webhook_id,
          push_id, phone, phone_kind)
        values (${organizationId}, ${newTargetId}, ${email}, ${emailFolded}, ${webhookId}, ${pushId},
          ${phone}, ${phoneKind})
        on conflict do nothing`,
  );
  await run(
    tx,
    sql`with target as (
          update notification_targets set next_at = least(next_at, ${due})
          where organization_id = ${organizationId}
            and (email_folded = ${emailFolded} or webhook_id = ${webhookId} or push_id = ${pushId}
              or (phone = ${phone} and phone_kind = ${phoneKind}))
          returning id)
        insert into deliveries (organization_id, id, target_id, notice_id, event_id, type,
          event_count, payload, state, started_at, next_at, created_at)
        select ${organizationId}, ${id}::uuid, target.id, ${id}::uuid, ${id}::uuid, 'text', 1,
          ${JSON.stringify(message)}, 'PENDING', ${due}, ${due}, ${at}
        from target`,
  );
}
