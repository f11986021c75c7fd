import { expect, it } from 'vitest';
import { createTestClock } from '../../test/support/clock.ts';
import { EpochEnded } from '../nodes/index.ts';
import { Failure } from '../runtime/index.ts';
import { retryWhileUnavailable } from './retry.ts';

const unavailable = () => new Failure('STORAGE_UNAVAILABLE', 'Storage is unavailable.');

it('a clock that is set forward does not end the retries early', async () => {
  const clock = createTestClock();
  let tries = 0;
  const work = async () => {
    tries += 1;
    if (tries === 3) return 'stored';
    clock.step(3_600_000);
    throw unavailable();
  };
  const since = clock.elapsed();
  await expect(retryWhileUnavailable(work, { clock, since, timeoutMs: 60_000 })).resolves.toBe(
    'stored',
  );
});

it('a clock that is set back does not prolong the retries', async () => {
  const clock = createTestClock();
  let tries = 0;
  const work = async () => {
    tries += 1;
    clock.step(-3_600_000);
    clock.advance(30_000);
    throw unavailable();
  };
  const since = clock.elapsed();
  await expect(retryWhileUnavailable(work, { clock, since, timeoutMs: 60_000 })).rejects.toThrow(
    'unavailable',
  );
  expect(tries).toBe(2);
});

it('what another node has taken over is not retried', async () => {
  const clock = createTestClock();
  let tries = 0;
  const work = async () => {
    tries += 1;
    throw new EpochEnded();
  };
  const timeout = { clock, since: clock.elapsed(), timeoutMs: 60_000 };
  await expect(retryWhileUnavailable(work, timeout)).rejects.toThrow('taken over');
  expect(tries).toBe(1);
});
