import { expect, it } from 'vitest';
import { createStillClock } from '../../test/support/clock.ts';
import { Lease } from './lease.ts';

function leaseOf() {
  const clock = createStillClock();
  const lease = new Lease(clock);
  const renewals: number[] = [];
  const renewed = async () => {
    renewals.push(clock.elapsed());
    lease.renewed(clock.elapsed());
  };
  return { clock, lease, renewals, renewed };
}

it('a lease is confirmed without a renewal until shortly before another node can take over', async () => {
  const { clock, lease, renewals, renewed } = leaseOf();
  await lease.confirm(renewed);
  clock.advance(2_499);
  await lease.confirm(renewed);
  expect(renewals.length).toBe(1);
  clock.advance(1);
  await lease.confirm(renewed);
  expect(renewals.length).toBe(2);
});

it('a lease whose renewal was asked for before a halt is not confirmed', async () => {
  const { clock, lease } = leaseOf();
  const askedAt = clock.elapsed();
  const renewedLate = async () => {
    clock.advance(20_000);
    lease.renewed(askedAt);
  };
  await expect(lease.confirm(renewedLate)).rejects.toMatchObject({ code: 'STORAGE_UNAVAILABLE' });
});

it('a lease that has ended is not confirmed by its last renewal', async () => {
  const { lease, renewed, renewals } = leaseOf();
  await lease.confirm(renewed);
  lease.end();
  expect(lease.isHeld).toBe(false);
  await lease.confirm(renewed);
  expect(renewals.length).toBe(2);
});
