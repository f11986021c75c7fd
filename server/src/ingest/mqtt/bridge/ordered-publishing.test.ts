import { describe, expect, it } from 'vitest';
import { Failure } from '../../../runtime/index.ts';
import type { Completion, DeviceMessage } from '../../message.ts';
import { outcomeOf } from '../session/outcome.ts';
import { OrderedPublishing } from './ordered-publishing.ts';

const unavailable = new Failure('STORAGE_UNAVAILABLE', 'away', { retryAfterSeconds: 1 });

function rig() {
  const submitted: string[] = [];
  const completed: string[] = [];
  const completions = new Map<string, Completion>();
  const stopping = new AbortController();
  const submit = ({ suffix }: DeviceMessage, completion: Completion) => {
    submitted.push(suffix);
    completions.set(suffix, completion);
    return undefined;
  };
  const publishing = new OrderedPublishing({
    submit,
    outcomeOf: (_, error) => outcomeOf(error),
    retryMs: 1,
    stopping: stopping.signal,
  });
  const add = (deviceId: string, suffix: string) => {
    const device = { deviceId, peek: () => undefined, get: async () => null };
    publishing.add({ device, suffix, payload: Buffer.alloc(0), receivedAt: 0 }, ({ kind }) =>
      completed.push(`${suffix} ${kind}`),
    );
  };
  const stored = (suffix: string) =>
    completions.get(suffix)?.stored({ accepted: 1, stored: 1, rejected: [] });
  const failed = (suffix: string, error: unknown) => completions.get(suffix)?.failed(error);
  return { submitted, completed, add, stored, failed, publishing, stopping };
}

const turn = () => new Promise((resolve) => setImmediate(resolve));

describe('messages of one Device from a broker', () => {
  it('that cannot be stored now are retried before later ones, and completed only when stored', async () => {
    const { submitted, completed, add, stored, failed } = rig();
    add('device', 'a');
    await turn();
    add('device', 'b');
    add('device', 'c');
    expect(submitted).toEqual(['a']);
    failed('a', unavailable);
    await expect.poll(() => submitted).toEqual(['a', 'a', 'b', 'c']);
    expect(completed).toEqual([]);
    for (const suffix of ['a', 'b', 'c']) stored(suffix);
    await expect.poll(() => completed).toEqual(['a STORED', 'b STORED', 'c STORED']);
  });

  it.each([
    ['storage is unavailable', unavailable],
    ['an unexpected error occurs', new Error('cannot execute INSERT in a read-only transaction')],
  ])('are not completed while %s', async (_, error) => {
    const { submitted, completed, add, stored, failed } = rig();
    add('device', 'a');
    for (let attempt = 1; attempt <= 5; attempt += 1) {
      await expect.poll(() => submitted.length).toBe(attempt);
      failed('a', error);
    }
    await expect.poll(() => submitted.length).toBe(6);
    expect(completed).toEqual([]);
    stored('a');
    await expect.poll(() => completed).toEqual(['a STORED']);
  });

  it('that are refused for good are completed, and the next is submitted', async () => {
    const { submitted, completed, add, stored, failed } = rig();
    add('device', 'a');
    add('device', 'b');
    await turn();
    failed('a', new Failure('INVALID_REQUEST', 'no form'));
    await expect.poll(() => submitted).toEqual(['a', 'b']);
    stored('b');
    await expect.poll(() => completed).toEqual(['a REFUSED', 'b STORED']);
  });

  it('are independent of other Devices, and a stop leaves them uncompleted', async () => {
    const { submitted, completed, add, failed, publishing, stopping } = rig();
    add('one', 'a');
    add('two', 'b');
    expect(submitted).toEqual(['a', 'b']);
    stopping.abort();
    failed('a', unavailable);
    failed('b', unavailable);
    await publishing.finished();
    expect(completed).toEqual([]);
  });
});
