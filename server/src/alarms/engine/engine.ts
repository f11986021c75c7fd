import { randomUUID } from 'node:crypto';
import type { Ownership } from '../../nodes/index.ts';
import type { Clock, Log, Moment } from '../../runtime/index.ts';
import { runAll, type Transaction, type Transactions } from '../../storage/index.ts';
import type { AlarmRow } from '../alarm.ts';
import { ended } from '../judgement/index.ts';
import { BatchJudge, type BatchJudgeDeps } from './batch-judge.ts';
import type { BatchJudgement, JudgedPart } from './batch-judgement.ts';
import { clearAllLeftOpen, createConflictResolver } from './conflicts.ts';
import { effectOf } from './edits.ts';
import { Readiness } from './readiness.ts';
import { lockStoredWatches, updateStatements } from './store.ts';
import { ArrivalAlignment, Ticker } from './ticker/index.ts';
import type { JudgedReading } from './variable-watches.ts';
import { WatchCache, type WatchCacheDeps } from './watch-cache.ts';
import { type WatchUpdate, watchUpdateOf } from './watch-update.ts';

export interface AlarmEngineDeps {
  readonly storage: Transactions;
  readonly clock: Clock;
  readonly log: Log;
  /** The clock judges Alarms of Devices that this node acts for. */
  readonly ownership: Ownership;
  readonly latest: WatchCacheDeps['latest'];
  readonly isStored: BatchJudgeDeps['isStored'];
  /** Called with each update once it is stored. */
  readonly onStored: (update: WatchUpdate, now: number) => void;
  /** Called between the steps, so that a test can end the process there. */
  readonly failpoint?: (name: string) => void;
}

/** Judges readings by the terms of Alarms, and raises and clears events. */
export interface AlarmEngine {
  /**
   * Judges a batch of readings. The caller commits them with the statements of the judgement, and
   * reports whether that was stored or refused. Batches are judged in order. A batch that is retried
   * keeps its arrival time.
   */
  judge(readings: readonly JudgedReading[], arrived: Moment): Promise<BatchJudgement>;
  /**
   * The same for a batch whose Devices may be committed in several transactions: where many alarms
   * change, the Devices without a change need not wait for them.
   */
  judgeInParts(readings: readonly JudgedReading[], arrived: Moment): Promise<readonly JudgedPart[]>;
  /** An Alarm was written in this transaction. Resolves with the Alarm and its new state. */
  edited(tx: Transaction, change: AlarmChange): Promise<AlarmRow>;
  /** The Device or its alarms were changed elsewhere. */
  invalidate(deviceId: string): void;
  invalidateAll(): void;
  /** When the clock last judged Alarms, by the monotonic clock. */
  lastTickAt(): number;
  start(): void;
  stop(): Promise<void>;
}

export interface AlarmChange {
  readonly organizationId: string;
  /** Undefined when it is new. */
  readonly before?: AlarmRow;
  readonly after: AlarmRow;
  readonly now: number;
}

export function createAlarmEngine(deps: AlarmEngineDeps): AlarmEngine {
  const { failpoint = () => undefined } = deps;
  const onStored = (update: WatchUpdate, now: number) => {
    ticker.changed();
    deps.onStored(update, now);
  };
  const readiness = new Readiness();
  const runId = randomUUID();
  const cache = new WatchCache(deps);
  const alignment = new ArrivalAlignment({
    ...deps,
    runId,
    onAligned: () => cache.invalidateAll(),
  });
  const onClockStep = () => alignment.begin();
  const conflicts = { ...deps, failpoint, onStored };
  const resolveConflict = createConflictResolver(conflicts);
  let clearing: Promise<void> | undefined;
  const batchJudge = new BatchJudge({
    ...deps,
    ...{ cache, runId, failpoint, readiness, resolveConflict, onClockStep, onStored },
  });
  const ticker = new Ticker({
    ...deps,
    ...{ failpoint, readiness, alignment, resolveConflict },
    onStored(update, now, deviceIds) {
      for (const deviceId of deviceIds) cache.invalidate(deviceId);
      onStored(update, now);
    },
  });

  deps.ownership.onChange(({ gained, taken }) => {
    if (gained.size === 0) return;
    // What is in memory may be from before another node acted for these Devices.
    cache.invalidateAll();
    alignment.begin();
    ticker.changed();
    ticker.taken(taken);
  });

  return {
    judge: (readings, arrived) => batchJudge.judge(readings, arrived),
    judgeInParts: (readings, arrived) => batchJudge.judgeInParts(readings, arrived),
    async edited(tx, change) {
      const row = await applyEdit(tx, change, { onStored, failpoint });
      tx.afterCommit(() => {
        if (change.before) cache.invalidate(change.before.deviceId);
        cache.invalidate(change.after.deviceId);
      });
      return row;
    },
    invalidate: (deviceId) => cache.invalidate(deviceId),
    invalidateAll: () => cache.invalidateAll(),
    lastTickAt: () => ticker.lastTickAt,
    start() {
      readiness.begin(deps.clock.now());
      ticker.start();
      clearing = clearAllLeftOpen(conflicts).catch((error: unknown) => {
        deps.log.warn({ err: error }, 'events of clear alarms could not be looked for');
      });
    },
    async stop() {
      await Promise.all([ticker.stop(), clearing]);
    },
  };
}

/** Applies the effect of an edit to what the Alarm holds or has raised. */
async function applyEdit(
  tx: Transaction,
  change: AlarmChange,
  { onStored, failpoint }: Pick<Required<AlarmEngineDeps>, 'onStored' | 'failpoint'>,
): Promise<AlarmRow> {
  const { organizationId, before, after, now } = change;
  const effect = before ? effectOf(before, after) : null;
  if (effect === null) return after;
  const [found] = await lockStoredWatches(tx, [{ organizationId, alarmId: after.id }]);
  if (!found) throw new Error('a locked Alarm is gone');
  const { stored } = found;
  const isEnded = effect !== 'DELAYS_CHANGED';
  const judgement = isEnded
    ? ended(stored.watch, effect, now)
    : { watch: stored.watch, transitions: [] };
  // How far another Variable was judged says nothing of this one.
  const isMoved = change.before?.deviceVariableId !== after.deviceVariableId;
  const judgedTo = isMoved ? null : stored.judgedTo;
  const judgedAt = isMoved ? null : stored.judgedAt;
  const update = watchUpdateOf([{ ...judgement, stored, judgedTo, judgedAt, isEnded }]);
  await runAll(tx, updateStatements(update, { now, failpoint }));
  tx.afterCommit(() => onStored(update, now));
  return isEnded ? { ...after, triggeredAt: null } : after;
}
