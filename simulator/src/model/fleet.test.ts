import fc from 'fast-check';
import { describe, expect, it } from 'vitest';
import { cases } from '../../../server/test/support/soak.ts';
import { createFleet, type Fleet, type Report } from './index.ts';

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
const DAY = 24 * HOUR;
const START = Date.UTC(2026, 10, 2);

const small = createFleet({ sites: 2, seed: 7 });

const all = (fleet: Fleet, from: number, to: number) => [...fleet.readingsBetween(from, to)];

function reportsOf(fleet: Fleet, label: string, from: number, to: number): Report[] {
  const reports: Report[] = [];
  for (const report of fleet.readingsBetween(from, to)) {
    if (report.device.name.endsWith(`: ${label}`)) reports.push(report);
  }
  return reports;
}

const moment = fc.integer({ min: START, max: START + 60 * DAY });

describe('a fleet', () => {
  it('reports the same for the same seed, and something else for another', () => {
    const once = all(createFleet({ sites: 2, seed: 3 }), START, START + 2 * MINUTE);
    const again = all(createFleet({ sites: 2, seed: 3 }), START, START + 2 * MINUTE);
    const other = all(createFleet({ sites: 2, seed: 4 }), START, START + 2 * MINUTE);
    expect(once.length).toBeGreaterThan(50);
    expect(again).toEqual(once);
    expect(other).not.toEqual(once);
  });

  it('reports the same whether it is asked at once or in pieces, and in whatever order', () => {
    const length = fc.integer({ min: 1, max: 3 * MINUTE });
    fc.assert(
      fc.property(moment, length, length, (from, first, second) => {
        const fresh = createFleet({ sites: 2, seed: 7 });
        const late = all(small, from + first, from + first + second);
        const early = all(small, from, from + first);
        expect([...early, ...late]).toEqual(all(fresh, from, from + first + second));
      }),
      { numRuns: cases(15, 0.4) },
    );
  });

  it('reports in the order of time, each value of a known Variable and of its type', () => {
    const seen = new Set<string>();
    const faults: Report[] = [];
    let last = 0;
    for (const report of small.readingsBetween(START, START + 10 * MINUTE)) {
      const { device, at, values } = report;
      if (at < last) faults.push(report);
      last = at;
      for (const [path, value] of Object.entries(values)) {
        const variable = device.variables.find((each) => each.path === path);
        if (typeof value !== variable?.type.toLowerCase()) faults.push(report);
        seen.add(`${device.name} ${path}`);
      }
    }
    expect(faults).toEqual([]);
    const known = small.devices.flatMap(({ name, variables }) =>
      variables.map(({ path }) => `${name} ${path}`),
    );
    expect([...seen].sort()).toEqual(known.sort());
  });

  it('has names and paths that the service takes', () => {
    const refused = small.devices.flatMap(({ name, variables }) => [
      ...(name.length >= 5 && name.length <= 100 ? [] : [name]),
      ...variables
        .filter(({ path, unit }) => !/^\S{5,500}$/.test(path) || (unit?.length ?? 1) > 9)
        .map(({ path }) => path),
    ]);
    expect(refused).toEqual([]);
    const { devices } = createFleet({ sites: 1_000, seed: 1 });
    expect(new Set(devices.map(({ name }) => name)).size).toBe(devices.length);
  });

  it('has alarms of every severity', () => {
    const severities = new Set(small.alarms.map(({ severity }) => severity));
    expect(severities).toEqual(new Set(['INFO', 'LOW', 'MEDIUM', 'HIGH', 'CRITICAL']));
  });

  it('refuses an interval under a second, and a time before its epoch', () => {
    expect(() => createFleet({ sites: 1, seed: 1, intervalMs: 999 })).toThrow(RangeError);
    expect(
      all(createFleet({ sites: 1, seed: 1, intervalMs: 1_000 }), START, START + 1),
    ).toBeDefined();
    const before = Date.UTC(2023, 11, 31);
    expect(() => all(small, before, before + HOUR)).toThrow(RangeError);
  });
});

describe('a generator', () => {
  const coarse = createFleet({ sites: 2, seed: 5, intervalMs: 10 * MINUTE });

  it('is exercised every week at the same time, without load', () => {
    const begins = new Map<string, number[]>();
    const testing = new Set<string>();
    const loaded: number[] = [];
    for (const { device, at, values } of reportsOf(coarse, 'Generator', START, START + 42 * DAY)) {
      if (values['engine.test'] !== true) testing.delete(device.name);
      else {
        if (values['output.kw'] !== 0) loaded.push(at);
        if (!testing.has(device.name)) {
          begins.set(device.name, [...(begins.get(device.name) ?? []), at]);
        }
        testing.add(device.name);
      }
    }
    expect(loaded).toEqual([]);
    expect(begins.size).toBe(2);
    for (const times of begins.values()) {
      expect(times).toHaveLength(6);
      expect(times.map((at, week) => at - week * 7 * DAY)).toEqual(Array(6).fill(times[0]));
    }
  });

  it('has counters that only rise', () => {
    const rising = ['counters.runningHours', 'counters.starts'];
    const last = new Map<string, number>();
    const falls: string[] = [];
    for (const { device, values } of reportsOf(coarse, 'Generator', START, START + 30 * DAY)) {
      for (const path of rising) {
        const value = values[path] as number;
        if (value < (last.get(device.name + path) ?? 0)) falls.push(path);
        last.set(device.name + path, value);
      }
    }
    expect(falls).toEqual([]);
  });
});

describe('fuel', () => {
  it('never runs out and never overflows, however long the utility is away', () => {
    const hours = fc.integer({ min: 1, max: 200 });
    fc.assert(
      fc.property(fc.nat(1_000), moment, hours, (seed, from, length) => {
        const incident = { from, to: from + length * HOUR };
        const fleet = createFleet({ sites: 1, seed, intervalMs: 20 * MINUTE, outages: [incident] });
        const levels = reportsOf(fleet, 'Generator', from - HOUR, incident.to + DAY).map(
          ({ values }) => values['fuel.level'] as number,
        );
        expect(Math.min(...levels)).toBeGreaterThan(0);
        expect(Math.max(...levels)).toBeLessThanOrEqual(100);
      }),
      { numRuns: cases(25, 0.4) },
    );
  });

  it('falls while the generator runs, and is filled up later', () => {
    const fleet = createFleet({
      sites: 1,
      seed: 2,
      intervalMs: MINUTE,
      outages: [{ from: START, to: START + 6 * HOUR }],
    });
    const level = (at: number) =>
      reportsOf(fleet, 'Generator', at, at + 2 * MINUTE)[0]?.values['fuel.level'] as number;
    expect(level(START + 5 * HOUR)).toBeLessThan(level(START + HOUR));
    expect(level(START + 3 * DAY)).toBeGreaterThan(level(START + 6 * HOUR));
  });
});

describe('a room sensor', () => {
  it('falls silent now and then, for a while', () => {
    const fleet = createFleet({ sites: 1, seed: 1, intervalMs: MINUTE });
    const times = reportsOf(fleet, 'Room sensor', START, START + 14 * DAY).map(({ at }) => at);
    const gaps = times.slice(1).map((at, index) => at - (times[index] as number));
    const silences = gaps.filter((gap) => gap > 13 * MINUTE);
    expect(silences.length).toBeGreaterThan(0);
    expect(Math.max(...silences)).toBeLessThanOrEqual(3 * HOUR + 13 * MINUTE);
    expect(silences.reduce((sum, gap) => sum + gap, 0)).toBeLessThan(3 * DAY);
  });
});
