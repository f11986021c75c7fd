import { describe, expect, it } from 'vitest';
import {
  callerWith,
  DEVICE,
  prepareLive,
  read,
  reading,
  startLive,
  upTo,
} from '../../test/support/live-rig.ts';
import { Failure } from '../runtime/index.ts';
import { LIVE_LIMITS } from './limits.ts';

prepareLive();

describe('a client that reads nothing', () => {
  /** Fills what lies between the stream and its reader, so that all else waits. */
  const stuff = 'x'.repeat(20_000);

  it('has one value per Variable waiting: the newest by its time', async () => {
    const { live, follow } = startLive();
    const stream = await follow();
    const witness = reading(await follow());
    stream.read(0);
    live.announceReadings([read(stuff, 1, DEVICE)]);
    await expect.poll(() => stream.readableLength).toBeGreaterThan(20_000);
    const held = stream.readableLength;
    for (const at of upTo(5_000)) live.announceReadings([read(at, at)]);
    live.announceReadings([read('late', 17)]);
    await expect.poll(() => witness.values().at(-1)).toBe(5_000);
    expect(stream.readableLength).toBe(held);
    const reader = reading(stream);
    await expect.poll(reader.values).toEqual([stuff, 5_000]);
  });

  it.each([
    [9, 9, ''],
    [10, 10, ''],
    [11, 10, '"values":1,'],
  ])('has at most 10 Variables waiting: of %i it gets %i', async (count, got, missed) => {
    const { live, follow } = startLive({ maxWaitingWeight: 10, maxBatchValues: 4 });
    const stream = await follow();
    live.announceReadings(upTo(count).map((each) => read(each, 1, `variable-${each}`)));
    const reader = reading(stream);
    await expect.poll(reader.values).toEqual(upTo(got));
    if (missed === '') expect(reader.text()).not.toContain('missed');
    else await expect.poll(reader.text).toContain(missed);
  });

  it('gets many values in several batches', async () => {
    const { live, follow } = startLive({ maxBatchValues: 4 });
    const stream = await follow();
    live.announceReadings(upTo(10).map((each) => read(each, 1, `variable-${each}`)));
    const reader = reading(stream);
    await expect.poll(reader.values).toEqual(upTo(10));
    expect(reader.text().match(/event: readings/g)).toHaveLength(3);
  });

  it('is disconnected at the timeout', async () => {
    const { live, follow, clock } = startLive();
    const stream = await follow();
    const witness = reading(await follow());
    stream.read(0);
    live.announceReadings([read(stuff)]);
    await expect.poll(() => stream.readableLength).toBeGreaterThan(20_000);
    clock.advance(LIVE_LIMITS.stalledMs - 10_000);
    await expect.poll(witness.text).toContain(': heartbeat');
    expect(stream.destroyed).toBe(false);
    clock.advance(LIVE_LIMITS.stalledMs);
    await expect.poll(() => stream.destroyed).toBe(true);
    expect(live.totals()).toMatchObject({ opened: 2, closed: 1 });
  });
});

describe('the number of streams', () => {
  const codeOf = (promise: Promise<unknown>) =>
    promise.then(
      () => 'OPENED',
      (error: Failure) => error.code,
    );

  it.each([
    ['maxStreams', 'OVERLOADED'],
    ['maxPerOrganization', 'TOO_MANY_REQUESTS'],
    ['maxPerCredential', 'TOO_MANY_REQUESTS'],
  ] as const)('is limited by %s, with %s', async (limit, code) => {
    const { follow } = startLive({ [limit]: 2 });
    const first = await follow();
    expect(await codeOf(follow())).toBe('OPENED');
    expect(await codeOf(follow())).toBe(code);
    const others = limit === 'maxPerCredential' ? 'OPENED' : code;
    expect(await codeOf(follow({}, { caller: callerWith([], 'other') }))).toBe(others);
    first.destroy();
    expect(await codeOf(follow())).toBe('OPENED');
  });

  it('is zero after a stop', async () => {
    const { live, follow } = startLive();
    const stream = await follow();
    const reader = reading(stream);
    await live.stop();
    expect(reader.text()).toContain('{"reason":"STOPPING"}');
    expect(await codeOf(follow())).toBe('OVERLOADED');
  });
});

describe('credentials', () => {
  it('that cannot be checked do not end the stream', async () => {
    const { live, follow, clock } = startLive();
    let selection = 0;
    const reauthorize = async () => {
      selection += 1;
      throw new Failure('STORAGE_UNAVAILABLE', 'Away.');
    };
    const reader = reading(await follow({}, { reauthorize }));
    clock.advance(LIVE_LIMITS.reauthorizeMs);
    await expect.poll(() => selection).toBe(1);
    live.announceReadings([read(1)]);
    await expect.poll(reader.values).toEqual([1]);
    expect(reader.text()).not.toContain('end');
  });
});
