import { type Clock, every, type Log } from '../../runtime/index.ts';
import type { Transactions } from '../storage.ts';
import {
  type ClockStep,
  certainDeviation,
  deviationOf,
  isShown,
  spanText,
  stepOf,
} from './deviation.ts';
import { findClockRecord, saveClockRecord } from './store.ts';

export interface ClockWarning {
  readonly code: 'CLOCK_DIFFERS_FROM_DATABASE' | 'CLOCK_STEPPED';
  readonly message: string;
}

/** Compares the clock with that of the database and with the time that was last recorded. */
export interface ClockCheck {
  /** What is wrong with the clock, as of the last check. */
  warnings(): readonly ClockWarning[];
  /** Seconds by which the clock was ahead at the last check; of the recorded time, the last step. */
  deviations(): Readonly<Record<'database' | 'recorded', number>>;
  check(): Promise<void>;
  /** Checks now, and every minute from then on. */
  start(): Promise<void>;
  stop(): Promise<void>;
}

interface ClockCheckDeps {
  readonly storage: Transactions;
  readonly clock: Clock;
  readonly log: Log;
}

const CHECK_INTERVAL_MS = 60_000;

export function createClockCheck({ storage, clock, log }: ClockCheckDeps): ClockCheck {
  let fromDatabaseMs = 0;
  let step: ClockStep | null = null;
  let warnings: readonly ClockWarning[] = [];

  async function check(): Promise<void> {
    const askedAt = clock.now();
    const record = await findClockRecord(storage);
    const now = clock.now();
    fromDatabaseMs = certainDeviation(record.databaseNow, askedAt, now);
    const found = stepOf(now, record.recordedAt ?? now, record.step);
    step = found && isShown(found, now) ? found : null;
    const before = new Set(warnings.map(({ message }) => message));
    warnings = warningsOf(deviationOf(now, record.databaseNow), step);
    for (const { code, message } of warnings) {
      if (!before.has(message)) log.warn({ code, fromDatabaseMs, stepMs: step?.stepMs }, message);
    }
    await saveClockRecord(storage, now, step);
  }

  const checks = every(CHECK_INTERVAL_MS, check, (error) =>
    log.debug({ err: error }, 'clock could not be checked'),
  );

  return {
    warnings: () => warnings,
    deviations: () => ({
      database: fromDatabaseMs / 1_000,
      recorded: (step?.stepMs ?? 0) / 1_000,
    }),
    check,
    async start() {
      await check();
      checks.start();
    },
    stop: checks.stop,
  };
}

function warningsOf(fromDatabaseMs: number | null, step: ClockStep | null): ClockWarning[] {
  const warnings: ClockWarning[] = [];
  if (fromDatabaseMs !== null) {
    const where = fromDatabaseMs < 0 ? 'behind' : 'ahead of';
    warnings.push({
      code: 'CLOCK_DIFFERS_FROM_DATABASE',
      message: `The server's clock is ${spanText(Math.abs(fromDatabaseMs))} ${where} the database's. Check the clocks of both machines; history is not deleted meanwhile.`,
    });
  }
  if (step !== null) {
    const moved = step.stepMs < 0 ? 'was set back' : 'has moved forward';
    const cause = step.stepMs < 0 ? '' : ', or the server was off for that long';
    warnings.push({
      code: 'CLOCK_STEPPED',
      message: `The server's clock ${moved} by ${spanText(Math.abs(step.stepMs))}${cause}. Check that it is right; history is not deleted for a day.`,
    });
  }
  return warnings;
}
