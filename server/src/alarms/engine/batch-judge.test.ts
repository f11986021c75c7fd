import { expect, it } from 'vitest';
import { createStillClock } from '../../../test/support/clock.ts';
import { createDeferred } from '../../runtime/index.ts';
import type { Queries } from '../../storage/index.ts';
import { BatchJudge } from './batch-judge.ts';
import { Readiness } from './readiness.ts';
import { WatchCache } from './watch-cache.ts';

const clock = createStillClock();
const NOW = clock.now();
const type = 'NUMBER' as const;
const variable = {
  seriesId: 7,
  type,
  deviceId: 'device',
  organizationId: 'organization',
  isLoggingEnabled: true,
};
const ALARM = {
  ...{ organizationId: 'organization', alarmId: 'alarm', deviceId: 'device', seriesId: 7 },
  ...{ operator: 'GREATER_THAN', thresholdValueNumber: 50, thresholdValueString: null },
  ...{ thresholdValueBoolean: null, delayProcessingSeconds: 0, deadband: 0, clearDelaySeconds: 0 },
  ...{ beganAt: null, beganValue: null, arrivedAt: null, dueAt: null },
  ...{ arrivalRun: null, arrivalElapsed: null, epoch: 0 },
};
const CLEAR = { ...ALARM, phase: 'CLEAR', startedAt: null, raisedAt: null, version: 1 };
const TRIGGERED = { ...ALARM, phase: 'TRIGGERED', version: 2 };

/**
 * Judges for one Alarm; the latest reading of its Variable was ahead of the clock, if not given.
 * `onRead` is called whenever that reading is read.
 */
function start(latestAt = NOW + 60_000, onRead: () => unknown = () => undefined) {
  const stored = { row: { ...CLEAR, judgedTo: NOW - 2_000, judgedAt: null } as object };
  const storage: Queries = {
    async query<Row extends object>() {
      return [stored.row as Row];
    },
  };
  const latest = async () => {
    await onRead();
    return [{ at: latestAt, value: 40 }];
  };
  const cache = new WatchCache({ storage, clock, latest });
  const asked = createDeferred<void>();
  const answer = createDeferred<boolean>();
  const judge = new BatchJudge({
    ...{ cache, clock, runId: 'run', readiness: new Readiness() },
    isStored: () => {
      asked.resolve();
      return answer.promise;
    },
    resolveConflict: async () => true,
    onClockStep: () => undefined,
    onStored: () => undefined,
    failpoint: () => undefined,
  });
  return { stored, cache, judge, asked: asked.promise, answer: answer.resolve };
}

const raising = [{ variable, at: NOW - 1_000, value: 60 }];
const arrived = { now: NOW, elapsed: clock.elapsed() };

it('judges a reading whose history is looked up', async () => {
  const { judge, answer } = start();
  answer(false);
  expect((await judge.judge(raising, arrived)).statements).not.toBeNull();
});

it('judges on what is stored when a Device is changed while its history is looked up', async () => {
  const { stored, cache, judge, asked, answer } = start();
  const judged = judge.judge(raising, arrived);
  await asked;
  const at = NOW - 1_500;
  stored.row = { ...TRIGGERED, startedAt: at, raisedAt: at, judgedTo: at, judgedAt: null };
  cache.invalidate('device');
  answer(false);
  expect((await judged).statements).toBeNull();
  const [live] = cache.get('device')?.variables?.[0]?.liveWatches ?? [];
  expect(live).toMatchObject({ version: 2, watch: { phase: 'TRIGGERED', startedAt: at } });
});

it('does not judge a retried reading after a later one that arrived meanwhile', async () => {
  const { judge } = start(NOW - 2_000);
  const retried = { variable, at: NOW - 5_000, value: 60 };
  const first = { now: NOW - 4_000, elapsed: clock.elapsed() - 4_000 };
  const { statements } = await judge.judge([retried], first);
  expect(statements).toBeNull();
});

it('judges a reading of now although a judged one seems to be from the future', async () => {
  const { judge, stored, answer } = start(NOW - 2_000);
  answer(false);
  stored.row = { ...CLEAR, judgedTo: NOW + 3_600_000, judgedAt: null };
  expect((await judge.judge(raising, arrived)).statements).not.toBeNull();
});

it('judges a reading that arrived before the clock was set right', async () => {
  clock.step(-10_000);
  const { judge } = start(NOW - 2_000);
  const early = { now: clock.now(), elapsed: clock.elapsed() };
  clock.step(10_000);
  const reading = { variable, at: NOW - 1_000, value: 60, isAhead: true };
  expect((await judge.judge([reading], early)).statements).not.toBeNull();
});

/** Steps at the times that are named by how often something was read before. */
function steps(...byRead: readonly number[]): () => void {
  const left = [...byRead];
  return () => clock.step(left.shift() ?? 0);
}

it('judges a reading that arrived before the clock was set right while watches are read', async () => {
  const { judge } = start(NOW - 2_000, steps(10_000));
  clock.step(-10_000);
  const early = { now: clock.now(), elapsed: clock.elapsed() };
  const reading = { variable, at: NOW - 1_000, value: 60, isAhead: true };
  expect((await judge.judge([reading], early)).statements).not.toBeNull();
});

it('judges it again when the clock is set right while a conflict is resolved', async () => {
  const { judge } = start(NOW - 2_000, steps(0, 10_000));
  clock.step(-10_000);
  const early = { now: clock.now(), elapsed: clock.elapsed() };
  const reading = { variable, at: NOW - 1_000, value: 60, isAhead: true };
  const refused = await (await judge.judge([reading], early)).refused(new Error('changed'));
  expect(refused.statements).not.toBeNull();
});

it('judges it again when another batch is the first to notice that', async () => {
  let reads = 0;
  const { judge } = start(NOW - 2_000, async () => {
    reads += 1;
    if (reads !== 2) return;
    clock.step(10_000);
    const other = { ...variable, deviceId: 'other', seriesId: 8 };
    await judge.judge([{ variable: other, at: NOW, value: 1 }], arrived);
  });
  clock.step(-10_000);
  const early = { now: clock.now(), elapsed: clock.elapsed() };
  const reading = { variable, at: NOW - 1_000, value: 60, isAhead: true };
  const refused = await (await judge.judge([reading], early)).refused(new Error('changed'));
  expect(refused.statements).not.toBeNull();
});
