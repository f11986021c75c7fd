import { threadId } from 'node:worker_threads';
import { afterAll, describe, expect, it } from 'vitest';
import { WorkerPool } from './pool.ts';

const MODULE = new URL('../../../test/support/thread-consumer.mjs', import.meta.url).href;
const BATCHES = 5;

const pool = new WorkerPool();
afterAll(() => pool.stop());

function run(plan: string, module = MODULE, workers = pool) {
  const taken = { batches: 0, isReturned: false };
  async function* batches() {
    try {
      for (; taken.batches < BATCHES; taken.batches += 1) {
        yield { summarized: [], slices: [], chunks: new Map() };
      }
    } finally {
      taken.isReturned = true;
    }
  }
  const results = workers.run<number>({ module, plan }, { series: [], batches: batches() });
  return { results, taken };
}

async function threadsOf(plan: string, module = MODULE): Promise<Set<number>> {
  const found = new Set<number>();
  for await (const id of run(plan, module).results) found.add(id);
  return found;
}

describe('the worker pool', () => {
  it('runs a consumer in one thread that is not the main thread', async () => {
    const threads = await threadsOf('works');
    expect([threads.size, threads.has(threadId)]).toEqual([1, false]);
  }, 30_000);

  it('rejects when the consumer throws, and runs the next job in the same thread', async () => {
    const threads = await threadsOf('works');
    await expect(threadsOf('fails')).rejects.toThrow('the consumer failed');
    await expect(threadsOf('works', `${MODULE}.missing`)).rejects.toThrow();
    expect(await threadsOf('works')).toEqual(threads);
  }, 30_000);

  it('rejects when the thread ends, and runs the next job in a new thread', async () => {
    const [before] = await threadsOf('works');
    await expect(threadsOf('ends the thread')).rejects.toThrow('The worker thread ended.');
    const [after] = await threadsOf('works');
    expect(after).not.toBe(before);
  }, 30_000);

  it('takes no batch ahead of the caller, and ends the job when the caller returns', async () => {
    const { results, taken } = run('works');
    await results.next();
    expect(taken.batches).toBe(0);
    await results.next();
    expect(taken).toEqual({ batches: 0, isReturned: false });
    await results.next();
    expect(taken.batches).toBe(1);
    await results.return(undefined);
    expect(taken).toEqual({ batches: 1, isReturned: true });
  }, 30_000);

  it('rejects jobs in flight when it stops, and refuses the next', async () => {
    const stopping = new WorkerPool();
    const { results, taken } = run('works', MODULE, stopping);
    await results.next();
    await stopping.stop();
    await expect(results.next()).rejects.toThrow('The worker thread ended.');
    expect(taken.isReturned).toBe(true);
    await expect(run('works', MODULE, stopping).results.next()).rejects.toMatchObject({
      code: 'OVERLOADED',
    });
  }, 30_000);
});
