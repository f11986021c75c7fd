import { describe, expect, it } from 'vitest';
import { createSessionQuota, quotaRefusal } from './session-quota.ts';

const LIMITS = { maxClients: 100, maxSessionsPerDevice: 10, maxSessionsPerKey: 100 };
const held = (total: number, ofGroup: number, ofOwner = 0) => ({ total, ofGroup, ofOwner });

describe('the session quota', () => {
  it.each([
    ['DEVICE', 9, undefined],
    ['DEVICE', 10, 0x97],
    ['DEVICE', 11, 0x97],
    ['KEY', 99, undefined],
    ['KEY', 100, 0x97],
    ['KEY', 101, 0x97],
  ] as const)('answers a %s that holds %i with reason code %s', (kind, ofOwner, expected) => {
    const limits = { ...LIMITS, maxClients: 1_000 };
    expect(quotaRefusal(kind, held(500, 200, ofOwner), limits)?.reasonCode).toBe(expected);
  });

  it.each([
    [99, 99, undefined],
    [100, 10, 0x88],
    [100, 9, undefined],
    [109, 9, undefined],
    [110, 0, 0x88],
  ])(
    'with %i of 100 sessions in use, %i of them by the organization: reason code %s',
    (total, ofGroup, expected) => {
      expect(quotaRefusal('DEVICE', held(total, ofGroup), LIMITS)?.reasonCode).toBe(expected);
    },
  );

  it('admits another organization when one has reached the limit', () => {
    const quota = createSessionQuota(LIMITS);
    const owner = (group: string, n: number) =>
      ({ kind: 'DEVICE', id: `${group}${n}`, group }) as const;
    let entered = 0;
    while (quota.enter(owner('large', entered)) === null) entered += 1;
    expect(entered).toBe(100);
    expect(quota.enter(owner('small', 0))).toBeNull();
    quota.leave(owner('small', 0));
    quota.leave(owner('large', 0));
    expect(quota.enter(owner('large', 0))).toBeNull();
  });
});
