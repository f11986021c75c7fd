import { afterEach, beforeEach, expect, it, vi } from 'vitest';
import { Heartbeat } from './heartbeat.ts';

beforeEach(() => void vi.useFakeTimers());
afterEach(() => void vi.useRealTimers());

function beating() {
  const startedAt = Date.now();
  const beats: number[] = [];
  const failures: unknown[] = [];
  const beat = async () => {
    beats.push(Date.now() - startedAt);
    if (beats.length === 2) throw new Error('no answer');
  };
  const heartbeat = new Heartbeat(beat, (error) => failures.push(error));
  heartbeat.start();
  return { heartbeat, beats, failures };
}

it('an extra beat comes right after its moment, between the regular ones, and may fail', async () => {
  const { heartbeat, beats, failures } = beating();
  await vi.advanceTimersByTimeAsync(2_500);
  heartbeat.beatIn(500);
  await vi.advanceTimersByTimeAsync(1_500);
  expect(beats).toEqual([2_000, 3_010, 4_000]);
  expect(failures).toEqual([new Error('no answer')]);
});

it('a later moment replaces the scheduled one, and none is left after a stop', async () => {
  const { heartbeat, beats } = beating();
  heartbeat.beatIn(100);
  heartbeat.beatIn(Number.POSITIVE_INFINITY);
  await vi.advanceTimersByTimeAsync(1_000);
  heartbeat.beatIn(100);
  await heartbeat.stop();
  heartbeat.beatIn(100);
  await vi.advanceTimersByTimeAsync(10_000);
  expect(beats).toEqual([]);
});
