import { commitBatch } from '../../src/ingest/commit-batch.ts';
import {
  BATCH_LIMITS,
  type BatchLimits,
  createGroupCommit,
  type GroupCommit,
} from '../../src/ingest/group-commit.ts';
import type { Reading } from '../../src/readings/index.ts';
import { createLog, systemClock } from '../../src/runtime/index.ts';

/** Storage whose commits end when the test ends them. */
export function heldStorage() {
  const batches: (readonly Reading[])[] = [];
  const ends: (() => void)[] = [];
  return {
    batches,
    commit(readings: readonly Reading[]) {
      batches.push(readings);
      return new Promise<void>((resolve) => ends.push(resolve));
    },
    endOne: () => ends.shift()?.(),
  };
}

export function groupCommitOn(
  commit: (readings: readonly Reading[]) => Promise<void>,
  limits: Partial<BatchLimits> = {},
) {
  const announced: unknown[] = [];
  const announce = (readings: readonly Reading[]) =>
    void announced.push(...readings.map(({ value }) => value));
  const made = groupOf({ commit, announce }, limits);
  return { ...made, raw: made, commit: promised(made), announced };
}

/** A group commit without alarms. */
export function groupOf(
  steps: {
    readonly commit: (readings: readonly Reading[]) => Promise<void>;
    readonly announce: (readings: readonly Reading[]) => void;
  },
  changed: Partial<BatchLimits> = {},
): GroupCommit {
  const limits = { ...BATCH_LIMITS, ...changed };
  const judgement = {
    statements: null,
    stored: () => undefined,
    refused: (error: unknown) => Promise.reject(error),
  };
  const judges = {
    judge: async () => judgement,
    judgeInParts: async () => [{ deviceIds: null, judgement, awaited: Promise.resolve() }],
  };
  const base = { clock: systemClock, log: createLog('silent'), timeoutMs: limits.retryTimeoutMs };
  return createGroupCommit({
    clock: systemClock,
    limits,
    process: (batch, arrived) =>
      commitBatch({ ...base, ...judges, ...steps }, batch, arrived, () => Promise.resolve()),
  });
}

/** Adds readings and waits until they are durable. */
export const promised = (made: GroupCommit) => (readings: readonly Reading[]) =>
  new Promise<void>((resolve, reject) => {
    made.add(readings, (error) => (error === undefined ? resolve() : reject(error)));
  });
