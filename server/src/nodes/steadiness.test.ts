import { describe, expect, it } from 'vitest';
import { createStillClock } from '../../test/support/clock.ts';
import { Steadiness } from './steadiness.ts';
import type { NodeRow } from './store.ts';

const ROW: NodeRow = {
  id: 'b6a4fd0e-3f5b-4b1c-9d0a-000000000001',
  epoch: 1,
  version: '0.0.0',
  address: '127.0.0.1:1',
  startedAt: 0,
  lostAt: null,
  isReady: true,
  isStopping: false,
  leaseSeconds: 6,
  migration: null,
  report: null,
  hasSessions: true,
  isGone: false,
};

/** A node that has renewed its lease for as long as this, every two seconds. */
function renewing(forMs: number) {
  const clock = createStillClock();
  const steadiness = new Steadiness();
  const renew = () => {
    steadiness.asked(clock.elapsed());
    steadiness.renewed(clock.elapsed());
  };
  renew();
  for (let passed = 0; passed < forMs; passed += 2_000) {
    clock.advance(2_000);
    renew();
  }
  const msToTakeover = (...rows: Partial<NodeRow>[]) =>
    Math.round(
      steadiness.msToTakeover(
        rows.map((row) => ({ ...ROW, ...row })),
        clock.elapsed(),
      ),
    );
  return { clock, renew, msToTakeover };
}

describe('the time to the next takeover', () => {
  it('is what is left of the shortest lease of another node', () => {
    const { msToTakeover } = renewing(10_000);
    expect(msToTakeover({ leaseSeconds: 5.5 }, { leaseSeconds: 0.25 })).toBe(250);
  });

  it('ends three seconds after the last renewal of a node whose sessions have ended', () => {
    const { msToTakeover } = renewing(10_000);
    expect(msToTakeover({ leaseSeconds: 4.5, hasSessions: false })).toBe(1_500);
  });

  it('is infinite without a node that may still be lost', () => {
    const { msToTakeover } = renewing(10_000);
    expect(msToTakeover()).toBe(Number.POSITIVE_INFINITY);
    expect(msToTakeover({ lostAt: 1, leaseSeconds: 0, isGone: true })).toBe(
      Number.POSITIVE_INFINITY,
    );
  });

  it('leaves out nodes that may be taken over from already', () => {
    const { msToTakeover } = renewing(10_000);
    expect(msToTakeover({ leaseSeconds: 0, isGone: true }, { leaseSeconds: 2 })).toBe(2_000);
  });

  it('is at least what a node has to wait after an interruption of its renewals', () => {
    const { clock, renew, msToTakeover } = renewing(10_000);
    clock.advance(5_000);
    renew();
    clock.advance(1_000);
    expect(msToTakeover({ leaseSeconds: 0, isGone: true })).toBe(5_000);
  });
});
