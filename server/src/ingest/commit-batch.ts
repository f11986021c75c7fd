import type { BatchJudgement, JudgedPart } from '../alarms/index.ts';
import type { CommitOptions, Reading } from '../readings/index.ts';
import {
  type Clock,
  inSpan,
  isServiceUnavailable,
  type Log,
  type Moment,
  startSpan,
} from '../runtime/index.ts';
import type { BatchItem } from './group-commit.ts';
import { retryWhileUnavailable } from './retry.ts';

/** Judges the alarms of a batch. The judgement has to be stored or refused. */
export type Judge = (readings: readonly Reading[], arrived: Moment) => Promise<BatchJudgement>;

/** Judges the alarms of a batch that may be committed in parts. */
export type JudgeInParts = (
  readings: readonly Reading[],
  arrived: Moment,
) => Promise<readonly JudgedPart[]>;

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
  await commitJudged(commit, readings, await judge(readings, arrived), alongside);
}

async function commitJudged(
  commit: CommitReadings,
  readings: readonly Reading[],
  judged: BatchJudgement,
  alongside?: CommitOptions['alongside'],
): Promise<void> {
  let judgement = judged;
  for (;;) {
    try {
      const options = withJudgement(judgement, alongside);
      await inSpan('commit', spanOf(readings), () => commit(readings, options));
    } catch (error) {
      judgement = await judgement.refused(error);
      continue;
    }
    judgement.stored();
    return;
  }
}

function spanOf(readings: readonly Reading[]) {
  return {
    kind: 'CLIENT',
    attributes: { 'db.system.name': 'postgresql', 'fieldwatch.readings': readings.length },
  } as const;
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
  readonly judgeInParts: JudgeInParts;
  readonly announce: (readings: readonly Reading[]) => void;
  readonly clock: Clock;
  readonly log: Log;
  /** How long a batch is retried while storage is unavailable. */
  readonly timeoutMs: number;
}

/** Messages of a batch that are committed together. */
export interface BatchPart extends Pick<JudgedPart, 'judgement' | 'awaited'> {
  readonly items: readonly BatchItem[];
}

/**
 * Judges, commits, acknowledges and announces a batch. Where many alarms change, the Devices without
 * a change are committed at once, and the other parts are passed to `defer`, which returns a promise
 * that they are completed. Resolves with these promises.
 */
export async function commitBatch(
  steps: BatchSteps,
  batch: readonly BatchItem[],
  arrived: Moment,
  defer: (part: BatchPart) => Promise<void>,
): Promise<{ readonly deferred: readonly Promise<void>[] }> {
  const span = startSpan('ingest batch', { isRoot: true });
  if (span.isRecording) span.set({ 'fieldwatch.messages': batch.length });
  const committed = await span.within(() => commitItems(steps, batch, arrived, defer));
  span.end();
  return committed;
}

async function commitItems(
  steps: BatchSteps,
  batch: readonly BatchItem[],
  arrived: Moment,
  defer: (part: BatchPart) => Promise<void>,
): Promise<{ readonly deferred: readonly Promise<void>[] }> {
  let deferred: Promise<void>[] = [];
  let first = withReadings(batch);
  const attempt = async () => {
    if (deferred.length > 0) return await judgeAndCommit(steps, first.readings, { arrived });
    const judged = await steps.judgeInParts(first.readings, arrived);
    const [calm, ...others] = partsOf(batch, judged);
    if (!calm) return;
    if (calm.items !== batch) first = withReadings(calm.items);
    deferred = others.map((part) => defer(part));
    await commitJudged(steps.commit, first.readings, calm.judgement);
  };
  await completeAfter(steps, () => first, attempt, arrived);
  return { deferred };
}

/** The messages of a batch by the parts that it was judged in; a message is of one Device. */
function partsOf(batch: readonly BatchItem[], judged: readonly JudgedPart[]): BatchPart[] {
  const parts = judged.map(({ judgement, awaited }) => ({
    ...{ judgement, awaited },
    items: [] as BatchItem[],
  }));
  const [rest] = parts;
  if (parts.length === 1 && rest) return [{ ...rest, items: batch }];
  const partOf = new Map(
    judged.flatMap(({ deviceIds }, index) =>
      [...(deviceIds ?? [])].map((id) => [id, parts[index]]),
    ),
  );
  for (const item of batch) {
    const part = partOf.get(item.readings[0]?.variable.deviceId ?? '') ?? rest;
    part?.items.push(item);
  }
  return parts;
}

/** The same for one part whose judgement is known. Rejects when it is not stored. */
export async function commitPart(steps: BatchSteps, part: BatchPart): Promise<void> {
  const whole = withReadings(part.items);
  await commitJudged(steps.commit, whole.readings, part.judgement);
  completed(steps, whole);
}

/** The same for messages that are judged and committed as a whole. */
export async function commitWhole(
  steps: BatchSteps,
  items: readonly BatchItem[],
  arrived: Moment,
): Promise<void> {
  const whole = withReadings(items);
  const attempt = () => judgeAndCommit(steps, whole.readings, { arrived });
  await completeAfter(steps, () => whole, attempt, arrived);
}

/**
 * Attempts a commit and completes the messages. Messages that storage refuses are halved until the
 * refused one is alone. A retry is safe when the outcome of a commit is unknown: the same reading
 * twice is one.
 */
async function completeAfter(
  steps: BatchSteps,
  committed: () => ItemsWithReadings,
  attempt: () => Promise<void>,
  arrived: Moment,
): Promise<void> {
  const { clock, log, timeoutMs } = steps;
  const since = committed().items[0]?.since ?? 0;
  try {
    await retryWhileUnavailable(attempt, { clock, since, timeoutMs });
  } catch (error) {
    const { items } = committed();
    if (items.length <= 1 || isServiceUnavailable(error)) {
      complete(log, items, error);
      return;
    }
    const half = items.length >> 1;
    await commitWhole(steps, items.slice(0, half), arrived);
    await commitWhole(steps, items.slice(half), arrived);
    return;
  }
  completed(steps, committed());
}

function completed({ log, announce }: BatchSteps, { items, readings }: ItemsWithReadings): void {
  complete(log, items, undefined);
  try {
    announce(readings);
  } catch (error) {
    log.error({ err: error }, 'could not announce committed readings');
  }
}

/** Messages that are committed together, with all of their readings in order. */
interface ItemsWithReadings {
  readonly items: readonly BatchItem[];
  readonly readings: readonly Reading[];
}

function withReadings(items: readonly BatchItem[]): ItemsWithReadings {
  const readings: Reading[] = [];
  for (const item of items) for (const reading of item.readings) readings.push(reading);
  return { items, readings };
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
