import { expect, it } from 'vitest';
import { createDeferred } from '../runtime/index.ts';
import { WorkInTurn } from './work-in-turn.ts';

it('runs of the same work follow each other, also after one that failed', async () => {
  const steps: string[] = [];
  const first = createDeferred<void>();
  const outcomes = [first.promise, Promise.resolve()];
  const work = new WorkInTurn(async () => {
    steps.push('begun');
    await outcomes.shift();
    steps.push('ended');
  });
  const failed = work.run().catch((error: Error) => error.message);
  const second = work.run();
  await new Promise(setImmediate);
  expect(steps).toEqual(['begun']);
  first.reject(new Error('refused'));
  await second;
  expect(await failed).toBe('refused');
  expect(steps).toEqual(['begun', 'begun', 'ended']);
});
