import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFleet, type Report, type Value } from './index.ts';

const SECOND = 1_000;
const MINUTE = 60 * SECOND;
const START = Date.UTC(2026, 10, 4, 15);

const incident = { from: START, to: START + 20 * MINUTE };
const fleet = createFleet({ sites: 1, seed: 11, outages: [incident] });
const reports = [...fleet.readingsBetween(START - MINUTE, START + 40 * MINUTE)];

function firstAt(label: string, path: string, value: Value, after = START): number | undefined {
  return reports.find(
    ({ device, at, values }) =>
      device.name.endsWith(`: ${label}`) && at >= after && values[path] === value,
  )?.at;
}

/** What is reported by more than one Device at exactly one moment: when something switches. */
function together(of: readonly Report[]): Record<string, Value>[] {
  const byTime = new Map<number, Record<string, Value>>();
  for (const { at, values } of of) byTime.set(at, { ...byTime.get(at), ...values });
  return [...byTime.values()].filter((all) => 'total.kw' in all && 'switch.kw' in all);
}

describe('a lost utility', () => {
  it('is reported at once, starts the generator, and moves the load within seconds', () => {
    expect(firstAt('Transfer switch', 'utility.available', false)).toBe(START);
    expect(firstAt('Generator', 'engine.state', 'Cranking')).toBe(START + 3 * SECOND);
    expect(firstAt('Generator', 'engine.running', true)).toBe(START + 7 * SECOND);
    expect(firstAt('Transfer switch', 'switch.emergency', true)).toBe(START + 10 * SECOND);
  });

  it('leaves the load without power until then, and not longer', () => {
    expect(firstAt('Switchboard', 'total.kw', 0)).toBe(START);
    expect(firstAt('Switchboard', 'feeder1.energized', false)).toBe(START);
    expect(firstAt('Switchboard', 'feeder1.energized', true)).toBe(START + 10 * SECOND);
  });

  it('takes the load back when it has stayed for five minutes, and lets the generator cool down', () => {
    expect(firstAt('Transfer switch', 'utility.available', true)).toBe(incident.to);
    const back = firstAt('Transfer switch', 'switch.normal', true, incident.to);
    expect(back).toBe(incident.to + 5 * MINUTE);
    expect(firstAt('Generator', 'engine.state', 'Cooling down')).toBe(back);
    expect(firstAt('Generator', 'engine.state', 'Stopped', back)).toBe(incident.to + 8 * MINUTE);
  });

  it('happens by chance too', () => {
    const many = createFleet({ sites: 5, seed: 1, intervalMs: 60 * MINUTE });
    const lost = [...many.readingsBetween(START, START + 60 * 24 * 60 * MINUTE)].filter(
      ({ values }) => values['utility.available'] === false,
    );
    expect(lost.length).toBeGreaterThan(0);
  });
});

describe('power', () => {
  it('is at every moment the sum of the feeders, and comes from one source', () => {
    const lengths = fc.integer({ min: 1, max: 200 });
    fc.assert(
      fc.property(fc.nat(1_000), lengths, (seed, minutes) => {
        const own = createFleet({
          sites: 1,
          seed,
          intervalMs: MINUTE,
          outages: [{ from: START, to: START + minutes * MINUTE }],
        });
        const moments = together([
          ...own.readingsBetween(START - 1, START + (minutes + 20) * MINUTE),
        ]);
        expect(moments.length).toBeGreaterThanOrEqual(6);
        for (const all of moments) {
          const feeders = [1, 2, 3].map((index) => all[`feeder${index}.kw`] as number);
          const sum = feeders.reduce((one, other) => one + other, 0);
          expect(all['total.kw']).toBeCloseTo(sum, 6);
          expect(all['switch.kw']).toBe(all['total.kw']);
          expect((all['utility.kw'] as number) + (all['output.kw'] as number)).toBe(
            all['total.kw'],
          );
          expect(all['switch.normal']).toBe(!all['switch.emergency']);
        }
      }),
      { numRuns: 20 },
    );
  });
});
