import { expect, it } from 'vitest';
import { createLog, Failure, systemClock } from '../runtime/index.ts';
import type { CachedDevice } from '../variables/index.ts';
import { ArrivalTimes } from './arrival-times.ts';
import { BATCH_LIMITS } from './group-commit.ts';
import { NotOwner } from './not-owner.ts';
import { createPipeline, type PipelineDeps, submitAndWait } from './pipeline.ts';

function start(retryTimeoutMs: number, deps: Partial<PipelineDeps> = {}) {
  const nothing = () => undefined;
  const judgement = { statements: null, stored: nothing, refused: Promise.reject };
  return createPipeline({
    owns: () => true,
    forward: () => undefined,
    reload: () => false,
    judge: async () => judgement,
    judgeInParts: async () => [{ deviceIds: null, judgement, awaited: Promise.resolve() }],
    commit: async () => undefined,
    arrivals: new ArrivalTimes(0),
    rejections: { record: nothing } as never,
    onSeen: nothing,
    announce: nothing,
    clock: systemClock,
    log: createLog('silent'),
    limits: { ...BATCH_LIMITS, retryTimeoutMs },
    ...deps,
  });
}

/** The outcome of a message of an unknown Device whose lookup fails so many times. */
async function outcomeAfter(failures: number, retryTimeoutMs: number): Promise<unknown> {
  const pipeline = start(retryTimeoutMs);
  let looks = 0;
  const device = {
    deviceId: 'device',
    peek: () => undefined,
    async get() {
      looks += 1;
      if (looks <= failures) throw new Failure('STORAGE_UNAVAILABLE', 'Storage is unavailable.');
      return null;
    },
  };
  const message = { device, suffix: '', payload: {}, receivedAt: 0 };
  const error = await submitAndWait(pipeline.submit, message).catch((each: unknown) => each);
  await pipeline.stop();
  return error;
}

it('a message whose Device cannot be looked up waits while storage is unavailable', async () => {
  expect(await outcomeAfter(2, 5_000)).toMatchObject({ code: 'NOT_FOUND' });
});

it('a message whose Device cannot be looked up for too long fails with STORAGE_UNAVAILABLE', async () => {
  expect(await outcomeAfter(1_000, 100)).toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
});

it('a node that stops refuses messages of its clients, and leaves those of other nodes to them', async () => {
  const pipeline = start(100);
  await pipeline.stop();
  const device = { deviceId: 'device', peek: () => undefined, get: async () => null };
  const message = { device, suffix: '', payload: {}, receivedAt: 0 };
  await expect(submitAndWait(pipeline.submit, message)).rejects.toMatchObject({
    code: 'OVERLOADED',
  });
  const forwarded = { ...message, forwarded: { at: 0, isFixed: false } };
  await expect(submitAndWait(pipeline.submit, forwarded)).rejects.toBeInstanceOf(NotOwner);
});

it('a message that waits for its Device is stored as it was sent, though its connection reuses the memory', async () => {
  const stored: unknown[] = [];
  const pipeline = start(5_000, {
    async commit(readings) {
      for (const { value } of readings) stored.push(value);
    },
  });
  const ids = { id: 'variable', deviceId: 'device', organizationId: 'organization' };
  const speed = {
    seriesId: 1,
    type: 'NUMBER',
    isLoggingEnabled: true,
    path: 'rpm',
    ...ids,
  } as const;
  const cached: CachedDevice = {
    ...{ index: 0, deviceId: 'device', organizationId: 'organization', parentDeviceId: null },
    ...{ takesReadings: true, passwordHash: 'none', variables: new Map([['rpm', speed]]) },
  };
  const device = { deviceId: 'device', peek: () => undefined, get: async () => cached };
  const memory = Buffer.from('{"rpm":1}');
  const receipt = submitAndWait(pipeline.submit, {
    ...{ device, suffix: '', payload: memory, receivedAt: 1 },
  });
  memory.write('{"rpm":2}');
  expect(await receipt).toMatchObject({ accepted: 1 });
  expect(stored).toEqual([1]);
  await pipeline.stop();
});
