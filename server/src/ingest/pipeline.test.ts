import { expect, it } from 'vitest';
import { createLog, Failure, systemClock } from '../runtime/index.ts';
import { ArrivalTimes } from './arrival-times.ts';
import { BATCH_LIMITS } from './group-commit.ts';
import { createPipeline, submitAndWait } from './pipeline.ts';

/** The outcome of a message of an unknown Device whose lookup fails so many times. */
async function outcomeAfter(failures: number, retryTimeoutMs: number): Promise<unknown> {
  const nothing = () => undefined;
  const pipeline = createPipeline({
    owns: () => true,
    forward: () => undefined,
    reload: () => false,
    judge: async () => ({ statements: null, stored: nothing, refused: Promise.reject }),
    commit: async () => undefined,
    arrivals: new ArrivalTimes(0),
    rejections: { record: nothing } as never,
    onSeen: nothing,
    announce: nothing,
    clock: systemClock,
    log: createLog('silent'),
    limits: { ...BATCH_LIMITS, retryTimeoutMs },
  });
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
