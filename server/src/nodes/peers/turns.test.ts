import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { type Turn, Turns } from './turns.ts';

const LIMITS = {
  maxConcurrentCalls: 3,
  maxBytesInFlight: 100,
  maxWaitingCalls: 2,
  maxWaitingBytes: 50,
};

/** Enters turns of these sizes, and records the order in which they run. */
function entered(sizes: readonly number[]) {
  const turns = new Turns(LIMITS);
  const ran: number[] = [];
  const all = sizes.map((bytes, index) => turns.enter(bytes, () => void ran.push(index)));
  return { turns, ran, all };
}

function leave(turns: Turns, turn: Turn | null | undefined): void {
  if (turn) turns.leave(turn);
}

describe('turns', () => {
  it.each([
    { sizes: [1, 1], running: [0, 1] },
    { sizes: [1, 1, 1], running: [0, 1, 2] },
    { sizes: [1, 1, 1, 1], running: [0, 1, 2] },
    { sizes: [50, 49], running: [0, 1] },
    { sizes: [50, 50], running: [0, 1] },
    { sizes: [50, 51], running: [0] },
  ])('of sizes $sizes run within the limits of count and bytes', ({ sizes, running }) => {
    expect(entered(sizes).ran).toEqual(running);
  });

  it.each([
    { sizes: [100, 1], refused: false },
    { sizes: [100, 1, 1], refused: false },
    { sizes: [100, 1, 1, 1], refused: true },
    { sizes: [100, 1, 48], refused: false },
    { sizes: [100, 1, 49], refused: false },
    { sizes: [100, 1, 50], refused: true },
  ])('of sizes $sizes wait within the limits of count and bytes', ({ sizes, refused }) => {
    expect(entered(sizes).all.at(-1) === null).toBe(refused);
  });

  it('are not overtaken by smaller ones', () => {
    const { turns, ran, all } = entered([60, 45, 1]);
    expect(ran).toEqual([0]);
    leave(turns, all[0]);
    expect(ran).toEqual([0, 1, 2]);
  });

  it('that are given up while they wait let the next ones run', () => {
    const { turns, ran, all } = entered([60, 45, 1]);
    leave(turns, all[1]);
    expect(ran).toEqual([0, 2]);
  });

  it('keep to the limits and lose nobody, however they come and go', () => {
    const steps = fc.array(fc.record({ bytes: fc.nat(50), leaving: fc.nat(10) }), {
      maxLength: 60,
    });
    fc.assert(
      fc.property(steps, (each) => {
        const turns = new Turns(LIMITS);
        const open: Turn[] = [];
        const running = () => open.filter(({ state }) => state === 'running');
        for (const { bytes, leaving } of each) {
          const turn = turns.enter(bytes, () => undefined);
          if (turn) open.push(turn);
          const [left] = open.splice(leaving, 1);
          leave(turns, left);
          expect(running().length).toBeLessThanOrEqual(LIMITS.maxConcurrentCalls);
          const inFlight = running().reduce((sum, { bytes: size }) => sum + size, 0);
          expect(inFlight).toBeLessThanOrEqual(LIMITS.maxBytesInFlight);
        }
        while (open.length > 0) {
          expect(open[0]?.state).toBe('running');
          leave(turns, open.shift());
        }
      }),
    );
  });
});
