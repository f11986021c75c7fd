import { isoDateTime } from '../../../runtime/index.ts';
import { type Queries, run, sql, type Transaction } from '../../../storage/index.ts';
import { COLUMNS, type PageRow } from '../records/index.ts';

/** When something about a page is to be decided next; null while no page waits for anything. */
export async function findNextWake(db: Queries): Promise<number | null> {
  const [row] = await run<{ wakeAt: number }>(
    db,
    sql`select wake_at as "wakeAt" from pages where wake_at is not null order by wake_at limit 1`,
  );
  return row?.wakeAt ?? null;
}

/** The page that is due for the longest time and that no other server has, locked; null for none. */
export async function lockDue(tx: Transaction, now: number): Promise<PageRow | null> {
  const [row] = await run<PageRow>(
    tx,
    sql`select ${COLUMNS} from pages where wake_at <= ${isoDateTime(now)}
        order by wake_at limit 1 for no key update skip locked`,
  );
  return row ?? null;
}

export interface NewStep {
  readonly organizationId: string;
  readonly pageId: string;
  readonly loop: number;
  readonly step: number;
  readonly target: string;
  readonly isReached: boolean;
}

/** Records a target of a step; false when the step has had it before. */
export async function insertStep(tx: Transaction, step: NewStep, now: number): Promise<boolean> {
  const rows = await run(
    tx,
    sql`insert into page_steps (organization_id, page_id, loop, step, target, is_reached, at)
        values (${step.organizationId}, ${step.pageId}, ${step.loop}, ${step.step}, ${step.target},
          ${step.isReached}, ${isoDateTime(now)})
        on conflict do nothing returning 1`,
  );
  return rows.length > 0;
}

/** The addresses of those who look after the organization. */
export async function listAdministrators(
  tx: Transaction,
  organizationId: string,
): Promise<string[]> {
  const rows = await run<{ email: string }>(
    tx,
    sql`select email from memberships join users on users.id = user_id
        where organization_id = ${organizationId} and role = 'ADMINISTRATOR'
          and status = 'ACTIVE'
        order by email_folded`,
  );
  return rows.map(({ email }) => email);
}
