import { isoDateTime } from '../../runtime/index.ts';
import { run, sql } from '../sql.ts';
import type { Transactions } from '../storage.ts';
import type { ClockStep } from './deviation.ts';

export interface ClockRecord {
  readonly databaseNow: number;
  /** Null before the first record. */
  readonly recordedAt: number | null;
  readonly step: ClockStep | null;
}

export async function findClockRecord(db: Transactions): Promise<ClockRecord> {
  const [row] = await run<{
    databaseNow: number;
    recordedAt: number | null;
    steppedAt: number | null;
    stepMs: number | null;
  }>(
    db,
    sql`select clock_timestamp() as "databaseNow", recorded_at as "recordedAt",
          stepped_at as "steppedAt", step_ms as "stepMs"
        from (select) as always left join clock_record on true`,
  );
  if (!row) throw new Error('the database returned no time');
  const { databaseNow, recordedAt, steppedAt, stepMs } = row;
  const step = steppedAt === null || stepMs === null ? null : { steppedAt, stepMs };
  return { databaseNow, recordedAt, step };
}

export async function saveClockRecord(
  db: Transactions,
  now: number,
  step: ClockStep | null,
): Promise<void> {
  await run(
    db,
    sql`insert into clock_record (recorded_at, stepped_at, step_ms)
        values (${isoDateTime(now)}, ${step && isoDateTime(step.steppedAt)}, ${step?.stepMs ?? null})
        on conflict (is_only) do update set recorded_at = excluded.recorded_at,
          stepped_at = excluded.stepped_at, step_ms = excluded.step_ms`,
  );
}
