import { randomUUID } from 'node:crypto';
import type { Clock, Log } from '../../runtime/index.ts';
import { runAll, type Transaction, type Transactions } from '../../storage/index.ts';
import type { AlarmRow } from '../alarm.ts';
import { ended } from '../judgement/index.ts';
import { ArrivalAlignment } from './arrival-alignment.ts';
import type { BatchJudgement } from './batch-judgement.ts';
import { effectOf } from './edits.ts';
import { Keeper, type KeeperDeps } from './keeper.ts';
import type { JudgedReading } from './lookouts.ts';
import { Readiness } from './readiness.ts';
import { type Step, stepOf } from './step.ts';
import { lockWatched, stepStatements } from './store.ts';
import { Ticker } from './ticker.ts';

export interface WatchingDeps {
  readonly storage: Transactions;
  readonly clock: Clock;
  readonly log: Log;
  readonly latest: KeeperDeps['latest'];
  readonly isStored: KeeperDeps['isStored'];
  /** Told what happened, once it is stored. */
  readonly onStored: (step: Step, now: number) => void;
  /** Told between the steps, so that a test can end the process there. */
  readonly failpoint?: (name: string) => void;
}

/** What makes configurations into alarms. */
export interface Watching {
  /**
   * Judges a batch of readings. The caller commits them with the statements of the judgement, and
   * reports whether that was stored or refused. Batches are judged in order. A batch that is retried
   * keeps its arrival time.
   */
  judge(readings: readonly JudgedReading[], arrivedAt: number): Promise<BatchJudgement>;
  /** An alarm was written in this transaction. Answers with the alarm as that leaves it. */
  edited(tx: Transaction, change: AlarmChange): Promise<AlarmRow>;
  /** Something of the Device or of its alarms has changed elsewhere. */
  forget(deviceId: string): void;
  forgetAll(): void;
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

export function createWatching(deps: WatchingDeps): Watching {
  const { onStored, failpoint = () => undefined } = deps;
  const readiness = new Readiness();
  const runId = randomUUID();
  const alignment = new ArrivalAlignment({
    ...deps,
    runId,
    onAligned: () => keeper.forgetAll(),
  });
  const onClockStep = () => alignment.begin();
  const keeper = new Keeper({ ...deps, runId, failpoint, readiness, onClockStep });
  const ticker = new Ticker({
    ...deps,
    failpoint,
    readiness,
    alignment,
    onStored(step, now, deviceIds) {
      for (const deviceId of deviceIds) keeper.forget(deviceId);
      onStored(step, now);
    },
  });

  async function settle(tx: Transaction, change: AlarmChange): Promise<AlarmRow> {
    const { organizationId, before, after, now } = change;
    const effect = before ? effectOf(before, after) : null;
    if (effect === null) return after;
    const [found] = await lockWatched(tx, [{ organizationId, alarmId: after.id }]);
    if (!found) throw new Error('a locked Alarm is gone');
    const { watched } = found;
    const isEnded = effect !== 'PACED';
    const judgement = isEnded
      ? ended(watched.watch, effect, now)
      : { watch: watched.watch, transitions: [] };
    // How far another Variable was judged says nothing of this one.
    const isMoved = change.before?.deviceVariableId !== after.deviceVariableId;
    const judgedTo = isMoved ? null : watched.judgedTo;
    const judgedAt = isMoved ? null : watched.judgedAt;
    const step = stepOf([{ ...judgement, watched, judgedTo, judgedAt, isEnded }]);
    await runAll(tx, stepStatements(step, { now, failpoint }));
    tx.afterCommit(() => onStored(step, now));
    return isEnded ? { ...after, triggeredAt: null } : after;
  }

  return {
    judge: (readings, arrivedAt) => keeper.judge(readings, arrivedAt),
    async edited(tx, change) {
      const settled = await settle(tx, change);
      tx.afterCommit(() => {
        if (change.before) keeper.forget(change.before.deviceId);
        keeper.forget(change.after.deviceId);
      });
      return settled;
    },
    forget: (deviceId) => keeper.forget(deviceId),
    forgetAll: () => keeper.forgetAll(),
    start() {
      readiness.begin(deps.clock.now());
      ticker.start();
    },
    stop: () => ticker.stop(),
  };
}
