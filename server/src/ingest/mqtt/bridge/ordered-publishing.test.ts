import { describe, expect, it } from 'vitest';
import { Failure } from '../../../runtime/index.ts';
import type { Arrival, Taker } from '../../pipeline.ts';
import { outcomeOf } from '../session/outcome.ts';
import { OrderedIntake } from './ordered-publishing.ts';

const unavailable = new Failure('STORAGE_UNAVAILABLE', 'away', { retryAfterSeconds: 1 });

function rig() {
  const passed: string[] = [];
  const settled: string[] = [];
  const takers = new Map<string, Taker>();
  const stopping = new AbortController();
  const take = ({ suffix }: Arrival, taker: Taker) => {
    passed.push(suffix);
    takers.set(suffix, taker);
    return undefined;
  };
  const intake = new OrderedIntake({
    take,
    outcomeOf: (_, error) => outcomeOf(error),
    retryMs: 1,
    stopping: stopping.signal,
  });
  const add = (deviceId: string, suffix: string) => {
    const device = { deviceId, peek: () => undefined, get: async () => null };
    intake.add({ device, suffix, payload: Buffer.alloc(0), receivedAt: 0 }, ({ kind }) =>
      settled.push(`${suffix} ${kind}`),
    );
  };
  const taken = (suffix: string) =>
    takers.get(suffix)?.taken({ accepted: 1, stored: 1, rejected: [] });
  const failed = (suffix: string, error: unknown) => takers.get(suffix)?.failed(error);
  return { passed, settled, add, taken, failed, intake, stopping };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('messages of one Device from a broker', () => {
  it('that storage cannot take now are tried again before later ones, and settled only when stored', async () => {
    const { passed, settled, add, taken, failed } = rig();
    add('device', 'a');
    await turn();
    add('device', 'b');
    add('device', 'c');
    expect(passed).toEqual(['a']);
    failed('a', unavailable);
    await expect.poll(() => passed).toEqual(['a', 'a', 'b', 'c']);
    expect(settled).toEqual([]);
    for (const suffix of ['a', 'b', 'c']) taken(suffix);
    await expect.poll(() => settled).toEqual(['a TAKEN', 'b TAKEN', 'c TAKEN']);
  });

  it.each([
    ['storage is unavailable', unavailable],
    ['an unexpected error occurs', new Error('cannot execute INSERT in a read-only transaction')],
  ])('are not settled while %s', async (_, error) => {
    const { passed, settled, add, taken, failed } = rig();
    add('device', 'a');
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await expect.poll(() => passed.length).toBe(attempt);
      failed('a', error);
    }
    await expect.poll(() => passed.length).toBe(6);
    expect(settled).toEqual([]);
    taken('a');
    await expect.poll(() => settled).toEqual(['a TAKEN']);
  });

  it('that can never be stored are settled, and the next goes on', async () => {
    const { passed, settled, add, taken, failed } = rig();
    add('device', 'a');
    add('device', 'b');
    await turn();
    failed('a', new Failure('INVALID_REQUEST', 'no form'));
    await expect.poll(() => passed).toEqual(['a', 'b']);
    taken('b');
    await expect.poll(() => settled).toEqual(['a REFUSED', 'b TAKEN']);
  });

  it('wait for no other Device, and are left unsettled by a stop', async () => {
    const { passed, settled, add, failed, intake, stopping } = rig();
    add('one', 'a');
    add('two', 'b');
    expect(passed).toEqual(['a', 'b']);
    stopping.abort();
    failed('a', unavailable);
    failed('b', unavailable);
    await intake.finished();
    expect(settled).toEqual([]);
  });
});
