import { describe, expect, it } from 'vitest';
import { readingOf } from '../../test/support/reading.ts';
import type { Reading } from '../readings/index.ts';
import { createDeferred, createLog, systemClock } from '../runtime/index.ts';
import { type BatchSteps, commitBatch } from './commit-batch.ts';
import { DeferredCommits } from './deferred-commits.ts';
import { BATCH_LIMITS, createGroupCommit } from './group-commit.ts';

const ALARMED = ['a', 'b', 'c'];
const NEVER = new Promise<void>(() => undefined);

const from = (deviceId: string, value: number): Reading => {
  const reading = readingOf(value);
  return { ...reading, variable: { ...reading.variable, deviceId } };
};

/** A group commit in which each reading of an alarmed Device is a part of its own. */
function rig(
  commit: (readings: readonly Reading[]) => Promise<void>,
  awaitedOf: (deviceId: string) => Promise<void> = () => NEVER,
) {
  const events: string[] = [];
  const judgementOf = (name: string) => ({
    statements: null,
    stored: () => void events.push(`stored ${name}`),
    refused: (error: unknown) => Promise.reject(error),
  });
  const steps: BatchSteps = {
    judge: async () => judgementOf('again'),
    judgeInParts: async (readings) => [
      { deviceIds: null, judgement: judgementOf('rest'), awaited: NEVER },
      ...ALARMED.filter((id) => readings.some(({ variable }) => variable.deviceId === id)).map(
        (id) => ({ deviceIds: new Set([id]), judgement: judgementOf(id), awaited: awaitedOf(id) }),
      ),
    ],
    commit,
    announce: () => undefined,
    clock: systemClock,
    log: createLog('silent'),
    timeoutMs: BATCH_LIMITS.retryTimeoutMs,
  };
  const deferred = new DeferredCommits(steps);
  const group = createGroupCommit({
    clock: systemClock,
    limits: BATCH_LIMITS,
    process: (batch, arrived) =>
      commitBatch(steps, batch, arrived, (part) => deferred.add(part, arrived)),
  });
  const add = (deviceId: string, value: number) =>
    new Promise<string>((resolve) =>
      group.add([from(deviceId, value)], (error) => resolve(error ? String(error) : 'durable')),
    );
  return { add, group, events };
}

const isAlarmed = (readings: readonly Reading[]) =>
  readings.some(({ variable }) => ALARMED.includes(variable.deviceId));

describe('a part of a batch that changes many alarms', () => {
  it('delays no reading of another Device, in its batch or in later ones', async () => {
    const alarmsStored = createDeferred<void>();
    const { add, group } = rig((readings) =>
      isAlarmed(readings) ? alarmsStored.promise : Promise.resolve(),
    );
    const alarmed = [add('a', 1), add('b', 2)];
    expect(await add('x', 3)).toBe('durable');
    for (let value = 4; value < 10; value += 1) expect(await add('x', value)).toBe('durable');
    expect(group.oldestSince()).toBeLessThan(systemClock.elapsed());
    let isSettled = false;
    const settled = group.settled().then(() => {
      isSettled = true;
    });
    expect(await add('y', 10)).toBe('durable');
    expect(isSettled).toBe(false);
    alarmsStored.resolve();
    expect(await Promise.all(alarmed)).toEqual(['durable', 'durable']);
    await settled;
    expect(group.oldestSince()).toBe(Number.POSITIVE_INFINITY);
  });

  it('is committed after the part before it', async () => {
    const commits: string[] = [];
    const { add } = rig(async (readings) => {
      commits.push(...readings.map(({ variable }) => `begun ${variable.deviceId}`));
      await Promise.resolve();
      commits.push(...readings.map(({ variable }) => `ended ${variable.deviceId}`));
    });
    await Promise.all([add('a', 1), add('b', 2)]);
    expect(commits).toEqual(['begun a', 'ended a', 'begun b', 'ended b']);
  });

  it('is committed before others once a batch waits for a Device of it', async () => {
    const commits: unknown[] = [];
    const firstStored = createDeferred<void>();
    const { add } = rig(
      async (readings) => {
        commits.push(...readings.map(({ variable }) => variable.deviceId));
        if (commits.length === 1) await firstStored.promise;
      },
      (id) => (id === 'c' ? Promise.resolve() : NEVER),
    );
    const all = Promise.all([add('a', 1), add('b', 2), add('c', 3)]);
    await expect.poll(() => commits).toEqual(['a']);
    firstStored.resolve();
    await all;
    expect(commits).toEqual(['a', 'c', 'b']);
  });

  it('that is refused is judged again, and does not hold up the next one', async () => {
    const refusals = ['a'];
    const { add, events } = rig(async (readings) => {
      const id = readings[0]?.variable.deviceId;
      if (refusals[0] === id && refusals.shift()) throw new Error('refused by storage');
    });
    expect(await Promise.all([add('a', 1), add('b', 2)])).toEqual(['durable', 'durable']);
    expect(events).toContain('stored again');
    expect(events).toContain('stored b');
    expect(events).not.toContain('stored a');
  });
});
