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
  const letters: string[] = [];
  const storage = { takesWrites: true };
  const stopping = new AbortController();
  const submit = ({ suffix }: DeviceMessage, completion: Completion) => {
    submitted.push(suffix);
    completions.set(suffix, completion);
    return undefined;
  };
  const publishing = new OrderedPublishing({
    submit,
    outcomeOf: (_, error) => outcomeOf(error),
    async keepDeadLetter({ topic }, reason) {
      letters.push(`${topic}: ${reason}`);
    },
    async checkWrites() {
      if (!storage.takesWrites) throw unavailable;
    },
    retryMs: 1,
    stopping: stopping.signal,
  });
  const add = (deviceId: string, suffix: string) => {
    const device = { deviceId, peek: () => undefined, get: async () => null };
    const payload = Buffer.alloc(0);
    publishing.add({
      message: { device, suffix, payload, receivedAt: 0 },
      topic: suffix,
      payload,
      complete: ({ kind }) => completed.push(`${suffix} ${kind}`),
    });
  };
  const stored = (suffix: string) =>
    completions.get(suffix)?.stored({ accepted: 1, stored: 1, rejected: [] });
  const failed = (suffix: string, error: unknown) => completions.get(suffix)?.failed(error);
  return { submitted, completed, letters, storage, add, stored, failed, publishing, stopping };
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
    const { submitted, completed, letters, add, stored, failed } = rig();
    add('device', 'a');
    add('device', 'b');
    await turn();
    failed('a', new Failure('CONFLICT', 'inactive'));
    await expect.poll(() => submitted).toEqual(['a', 'b']);
    stored('b');
    await expect.poll(() => completed).toEqual(['a REFUSED', 'b STORED']);
    expect(letters).toEqual([]);
  });

  it('that are malformed are dead letters before they are completed', async () => {
    const { submitted, completed, letters, storage, add, failed } = rig();
    storage.takesWrites = false;
    add('device', 'a');
    failed('a', new Failure('INVALID_REQUEST', 'no form'));
    await expect.poll(() => submitted).toEqual(['a', 'a']);
    expect(completed).toEqual([]);
    storage.takesWrites = true;
    failed('a', new Failure('INVALID_REQUEST', 'no form'));
    await expect.poll(() => completed).toEqual(['a REFUSED']);
    expect(letters).toEqual(['a: no form']);
  });

  it('that fail each time while storage takes writes are dead letters, and the next are stored', async () => {
    const { submitted, completed, letters, storage, add, stored, failed } = rig();
    add('device', 'first');
    await turn();
    add('device', 'poison');
    add('device', 'last');
    stored('first');
    await expect.poll(() => submitted).toEqual(['first', 'poison', 'last']);
    storage.takesWrites = false;
    // Stored beside one that fails, and so it is stored again after that one.
    stored('last');
    let attempts = 1;
    const failAgain = async (error: unknown) => {
      failed('poison', error);
      attempts += 1;
      await expect
        .poll(() => submitted.filter((each) => each === 'poison').length, { timeout: 5_000 })
        .toBe(attempts);
    };
    for (let attempt = 0; attempt < 8; attempt += 1) await failAgain(new Error('no such column'));
    await failAgain(unavailable);
    expect(letters).toEqual([]);
    expect(completed).toEqual(['first STORED']);
    storage.takesWrites = true;
    failed('poison', new Error('no such column'));
    await expect.poll(() => completed).toEqual(['first STORED', 'poison REFUSED']);
    expect(letters).toEqual([expect.stringMatching(/^poison: The message could not be stored/)]);
    expect(letters.join()).not.toContain('no such column');
    expect(submitted.at(-1)).toBe('last');
    stored('last');
    await expect.poll(() => completed.at(-1)).toBe('last STORED');
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
