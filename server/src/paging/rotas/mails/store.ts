import { isoDateTime } from '../../../runtime/index.ts';
import { type Queries, run, sql, type Transaction } from '../../../storage/index.ts';
import type { NamedRotaRow } from '../store.ts';

export interface DueRotaRow extends NamedRotaRow {
  readonly name: string;
  readonly sendsHandoffMail: boolean;
  readonly sendsWeeklySummary: boolean;
  readonly handoffDueAt: number | null;
  readonly summaryDueAt: number | null;
}

function due(now: number) {
  const at = isoDateTime(now);
  return sql`(handoff_due_at <= ${at} or summary_due_at <= ${at})`;
}

export async function hasDue(db: Queries, now: number): Promise<boolean> {
  return (await run(db, sql`select 1 from rotas where ${due(now)} limit 1`)).length > 0;
}

/** A rota with a mail that is due, unless another server sends it. */
export async function lockDue(tx: Transaction, now: number): Promise<DueRotaRow | null> {
  const [row] = await run<DueRotaRow>(
    tx,
    sql`select organization_id as "organizationId", id, name, time_zone as "timeZone", layers,
          overrides, sends_handoff_mail as "sendsHandoffMail",
          sends_weekly_summary as "sendsWeeklySummary", handoff_due_at as "handoffDueAt",
          summary_due_at as "summaryDueAt"
        from rotas where ${due(now)} limit 1 for no key update skip locked`,
  );
  return row ?? null;
}

export async function saveDueTimes(
  tx: Transaction,
  { organizationId, id }: { readonly organizationId: string; readonly id: string },
  times: { readonly handoffDueAt: number | null; readonly summaryDueAt: number | null },
): Promise<void> {
  const text = (moment: number | null) => (moment === null ? null : isoDateTime(moment));
  await run(
    tx,
    sql`update rotas set handoff_due_at = ${text(times.handoffDueAt)},
          summary_due_at = ${text(times.summaryDueAt)}
        where organization_id = ${organizationId} and id = ${id}`,
  );
}
