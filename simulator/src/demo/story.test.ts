import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { createFleet } from '../model/index.ts';
import { parseDemoFlags } from './flags.ts';
import { continued, EMPTY_STORY } from './story.ts';

const HOUR = 3_600_000;
const START = Date.UTC(2026, 0, 5);
const MINUTE = 60_000;
const moments = fc.integer({ min: 0, max: 500 }).map((hours) => START + hours * 7 * HOUR);

function valuesAt(
  at: number,
  story: ReturnType<typeof continued>,
  seed: number,
  intervalMs = MINUTE,
) {
  const fleet = createFleet({ sites: 2, seed, intervalMs, ...story });
  const values: Record<string, unknown> = {};
  for (const report of fleet.readingsBetween(at - 2 * intervalMs, at)) {
    for (const [path, value] of Object.entries(report.values)) {
      values[`${report.device.site} ${path}`] = value;
    }
  }
  const [first, second] = fleet.sites.map(({ name }) => name);
  return {
    position: values[`${first} switch.position`],
    fuel: values[`${first} fuel.level`],
    volts: values[`${second} battery.volts`],
  };
}

describe('the story of a demo', () => {
  it('begins with a site on its generator, low on fuel, and a battery that is low elsewhere', () => {
    fc.assert(
      fc.property(moments, fc.nat(5), (now, seed) => {
        const story = continued(EMPTY_STORY, {
          ...{ now, reportedUntil: null, seed, intervalMs: MINUTE },
        });
        const { position, fuel, volts } = valuesAt(now, story, seed);
        expect(position).toBe('Emergency');
        expect(fuel).toBeLessThan(20);
        expect(fuel).toBeGreaterThan(15);
        expect(volts).toBeLessThan(25);
      }),
      // At this moment the tank of seed 4 lasts longer than anywhere else.
      { numRuns: 20, examples: [[Date.UTC(2026, 4, 16, 13), 4]] },
    );
  });

  it.each([10_000, 5 * MINUTE, 15 * MINUTE])(
    'begins low on fuel by the last report of a fleet that reports every %d ms',
    (intervalMs) => {
      fc.assert(
        fc.property(fc.nat(24 * HOUR), (later) => {
          const now = START + later;
          const story = continued(EMPTY_STORY, { now, reportedUntil: null, seed: 1, intervalMs });
          expect(valuesAt(now, story, 1, intervalMs).fuel).toBeLessThan(20);
        }),
        // The tank was at 20 % then, and below it at the next report.
        { numRuns: 10, examples: [[Date.UTC(2026, 10, 18, 4, 15, 59) - START]] },
      );
    },
  );

  it('stays as it is while its incident goes on', () => {
    const first = continued(EMPTY_STORY, {
      now: START,
      reportedUntil: null,
      seed: 1,
      intervalMs: MINUTE,
    });
    const now = START + 11 * HOUR;
    expect(continued(first, { now, reportedUntil: START, seed: 1, intervalMs: MINUTE })).toEqual(
      first,
    );
  });

  it('leaves published history unchanged and begins a new incident after a minute', () => {
    const first = continued(EMPTY_STORY, {
      now: START,
      reportedUntil: null,
      seed: 1,
      intervalMs: MINUTE,
    });
    const now = START + 13 * HOUR;
    const next = continued(first, { now, reportedUntil: now - 1_000, seed: 1, intervalMs: MINUTE });
    expect(next.outages).toEqual([...first.outages, { from: now + 60_000, to: now + 12 * HOUR }]);
    const later = START + 90 * HOUR;
    const again = continued(first, {
      now: later,
      reportedUntil: START,
      seed: 1,
      intervalMs: MINUTE,
    });
    expect(valuesAt(later, again, 1).position).toBe('Emergency');
    expect(again.outages[1]?.from).toBeGreaterThan(START);
  });
});

describe('the flags of a demo', () => {
  it('have values that fill three days of five sites', () => {
    const flags = { sites: 5, days: 3, intervalSeconds: 10, seed: 1 };
    expect(parseDemoFlags([])).toEqual({ flags });
    expect(parseDemoFlags(['--sites', '2', '--days=0'])).toEqual({
      flags: { ...flags, sites: 2, days: 0 },
    });
  });

  it.each([
    ['sites', 1, 50],
    ['days', 0, 30],
    ['interval', 1, 3_600],
    ['seed', 0, 2 ** 31 - 1],
  ])('--%s is a whole number from %d to %d', (name, least, most) => {
    for (const good of [least, most]) {
      expect(parseDemoFlags([`--${name}`, `${good}`])).toHaveProperty('flags');
    }
    for (const bad of [least - 1, most + 1, '1.5', '']) {
      const { problems } = { problems: [], ...parseDemoFlags([`--${name}`, `${bad}`]) };
      expect(problems).toEqual([expect.stringContaining(`--${name} must be a whole number`)]);
    }
  });
});
