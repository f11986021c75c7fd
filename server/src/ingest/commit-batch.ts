import type { BatchJudgement } from '../alarms/index.ts';
import type { CommitOptions, Reading } from '../readings/index.ts';
import { type Clock, isServiceUnavailable, type Log, type Moment } from '../runtime/index.ts';
import type { BatchItem } from './group-commit.ts';
import { retryWhileUnavailable } from './retry.ts';

/** Judges the alarms of a batch. The judgement has to be stored or refused. */
export type Judge = (readings: readonly Reading[], arrived: Moment) => Promise<BatchJudgement>;

/** Resolves when the readings and the statements alongside are durable, in one transaction. */
export type CommitReadings = (
  readings: readonly Reading[],
  options?: CommitOptions,
) => Promise<void>;

export interface JudgeAndCommit {
  readonly judge: Judge;
  readonly commit: CommitReadings;
}

interface JudgeAndCommitOptions extends CommitOptions {
  readonly arrived: Moment;
}

/**
 * Commits readings with the changes of alarms that they cause, all or nothing. A commit that is
 * refused because an alarm was changed elsewhere is judged again on the new state.
 */
export async function judgeAndCommit(
  { judge, commit }: JudgeAndCommit,
  readings: readonly Reading[],
  { arrived, alongside }: JudgeAndCommitOptions,
): Promise<void> {
  let judgement = await judge(readings, arrived);
  for (;;) {
    try {
      await commit(readings, withJudgement(judgement, alongside));
    } catch (error) {
      judgement = await judgement.refused(error);
      continue;
    }
    judgement.stored();
    return;
  }
}

/** The statements of alarms come first, then those of the caller. */
function withJudgement(
  { statements }: BatchJudgement,
  alongside: CommitOptions['alongside'],
): CommitOptions | undefined {
  if (statements === null) return alongside && { alongside };
  if (alongside === undefined) return { alongside: statements };
  return {
    *alongside() {
      yield* statements();
      yield* alongside();
    },
  };
}

export interface BatchSteps extends JudgeAndCommit {
  readonly announce: (readings: readonly Reading[]) => void;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a batch is retried while storage is unavailable. */
  readonly timeoutMs: number;
}

/**
 * Judges, commits, acknowledges and announces a batch. A batch that storage refuses is halved until
 * the refused message is alone. A retry is safe when the outcome of a commit is unknown: the same
 * reading twice is one.
 */
export async function commitBatch(
  steps: BatchSteps,
  batch: readonly BatchItem[],
  arrived: Moment,
): Promise<void> {
  const { clock, log, timeoutMs, announce } = steps;
  const readings: Reading[] = [];
  for (const item of batch) for (const reading of item.readings) readings.push(reading);
  const since = batch[0]?.since ?? 0;
  try {
    const attempt = () => judgeAndCommit(steps, readings, { arrived });
    await retryWhileUnavailable(attempt, { clock, since, timeoutMs });
  } catch (error) {
    if (batch.length === 1 || isServiceUnavailable(error)) {
      complete(log, batch, error);
      return;
    }
    const half = batch.length >> 1;
    await commitBatch(steps, batch.slice(0, half), arrived);
    await commitBatch(steps, batch.slice(half), arrived);
    return;
  }
  complete(log, batch, undefined);
  try {
    announce(readings);
  } catch (error) {
    log.error({ err: error }, 'could not announce committed readings');
  }
}

/** An error of one message must not affect the others of its batch. */
function complete(log: Log, batch: readonly BatchItem[], error: unknown): void {
  for (const { done } of batch) {
    try {
      done(error);
    } catch (fault) {
      log.error({ err: fault }, 'could not acknowledge a message');
    }
  }
}
