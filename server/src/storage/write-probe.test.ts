import { describe, expect, it } from 'vitest';
import { createWriteProbe } from './write-probe.ts';

const UNAVAILABLE = { code: 'STORAGE_UNAVAILABLE', retryAfterSeconds: expect.any(Number) };

/** A lane that counts probes and ends each as the test says. */
function createRig() {
  const ends: ((error?: Error) => void)[] = [];
  let now = 0;
  const probe = createWriteProbe(
    {
      atomically: () =>
        new Promise((resolve, reject) => {
          ends.push((error) => (error ? reject(error) : resolve()));
        }),
    },
    undefined,
    () => now,
  );
  return {
    probe,
    ends,
    pass: (ms: number) => {
      now += ms;
    },
  };
}

describe('the write probe', () => {
  it('writes once for all who ask at the same time', async () => {
    const { probe, ends } = createRig();
    const asked = Array.from({ length: 100 }, probe);
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await Promise.all(asked);
  });

  it('writes again only when the last outcome is two seconds old, be it good or bad', async () => {
    const { probe, ends, pass } = createRig();
    const first = probe();
    ends[0]?.(new Error('disk full'));
    await expect(first).rejects.toMatchObject(UNAVAILABLE);
    pass(1_999);
    await expect(probe()).rejects.toMatchObject(UNAVAILABLE);
    expect(ends).toHaveLength(1);
    pass(1);
    const second = probe();
    expect(ends).toHaveLength(2);
    ends[1]?.();
    await second;
    pass(1_999);
    await probe();
    expect(ends).toHaveLength(2);
  });

  it('is refused within its limit while a probe gets no answer, and starts no other', async () => {
    const { probe, ends } = createRig();
    await expect(Promise.all([probe(), probe()])).rejects.toMatchObject(UNAVAILABLE);
    const next = probe();
    expect(ends).toHaveLength(1);
    ends[0]?.();
    await next;
  });
});
