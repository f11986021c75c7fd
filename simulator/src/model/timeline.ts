import { type Cycle, cyclesOf, type Outage, weekOf } from './cycles.ts';
import { FuelTank } from './fuel-tank.ts';
import type { LoadCurve } from './load-curve.ts';
import type { Site } from './site.ts';
import { EPOCH, HOUR, WEEK } from './time.ts';

export type EngineState = 'Stopped' | 'Cranking' | 'Running' | 'Cooling down';

/** The state of the supply at one moment. */
export interface PowerState {
  readonly isUtilityPresent: boolean;
  readonly engine: EngineState;
  readonly isExercise: boolean;
  readonly position: 'Normal' | 'Emergency';
  readonly isLoadEnergized: boolean;
  /** The last cycle that has begun, whether or not it has ended. */
  readonly cycle: Cycle | null;
  /** The totals before that cycle began. */
  readonly before: Totals;
}

/** Counters since the epoch. */
export interface Totals {
  readonly starts: number;
  readonly transfers: number;
  readonly runMs: number;
  readonly onLoadMs: number;
}

const NOTHING: Totals = { starts: 0, transfers: 0, runMs: 0, onLoadMs: 0 };

function after(totals: Totals, cycle: Cycle): Totals {
  return {
    starts: totals.starts + 1,
    transfers: totals.transfers + (cycle.isExercise ? 0 : 2),
    runMs: totals.runMs + cycle.stopsAt - cycle.runsAt,
    onLoadMs: totals.onLoadMs + cycle.offLoadAt - cycle.onLoadAt,
  };
}

/**
 * The events of a site, week by week from the epoch on. A week is computed on first use and cached;
 * the result depends only on the site and the moment.
 */
export class Timeline {
  readonly #site: Site;
  readonly #asked: readonly Outage[];
  readonly #cycles: Cycle[] = [];
  readonly #before: Totals[] = [];
  readonly #tank: FuelTank;
  readonly #curves: readonly LoadCurve[];
  #weeks = 0;
  #totals = NOTHING;

  constructor(site: Site, curves: readonly LoadCurve[], asked: readonly Outage[]) {
    this.#site = site;
    this.#curves = curves;
    this.#asked = asked;
    this.#tank = new FuelTank(site);
  }

  /** Refuelling depends on the next start, so one week more than requested is computed. */
  #reach(at: number): void {
    if (at < EPOCH) throw new RangeError('the simulation knows nothing of before 2024');
    const weeks = weekOf(this.#site, at) + 2;
    for (; this.#weeks < weeks; this.#weeks += 1) {
      for (const cycle of cyclesOf(this.#site, this.#weeks, this.#asked)) this.#add(cycle);
    }
  }

  #add(cycle: Cycle): void {
    this.#cycles.push(cycle);
    this.#before.push(this.#totals);
    this.#totals = after(this.#totals, cycle);
    this.#tank.burn(cycle, this.#meanKw(cycle));
  }

  #meanKw({ onLoadAt, offLoadAt }: Cycle): number {
    if (offLoadAt <= onLoadAt) return 0;
    const kwh = this.#curves.reduce(
      (sum, curve) => sum + curve.kwhAt(offLoadAt) - curve.kwhAt(onLoadAt),
      0,
    );
    return (kwh * HOUR) / (offLoadAt - onLoadAt);
  }

  /** The index of the last cycle that has begun; -1 when none has. */
  #lastBegun(at: number): number {
    let low = 0;
    let high = this.#cycles.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#cycles[middle] as Cycle).beginsAt <= at) low = middle + 1;
      else high = middle;
    }
    return low - 1;
  }

  stateAt(at: number): PowerState {
    this.#reach(at);
    const index = this.#lastBegun(at);
    const cycle = this.#cycles[index] ?? null;
    const before = this.#before[index] ?? NOTHING;
    const isUtilityPresent = cycle === null || at >= cycle.utilityBackAt;
    const isOnLoad = cycle !== null && at >= cycle.onLoadAt && at < cycle.offLoadAt;
    return {
      isUtilityPresent,
      engine: engineAt(cycle, at),
      isExercise: cycle?.isExercise === true && at < cycle.stopsAt,
      position: isOnLoad ? 'Emergency' : 'Normal',
      isLoadEnergized: isOnLoad || isUtilityPresent,
      cycle,
      before,
    };
  }

  /** From 0 to 1. */
  fuelAt(at: number): number {
    this.#reach(at);
    return this.#tank.levelAt(at);
  }

  /** Each moment in [from, to) at which something switches, in order. */
  changesBetween(from: number, to: number): number[] {
    this.#reach(Math.max(EPOCH, to));
    const first = Math.max(0, this.#lastBegun(from - WEEK));
    const changes = new Set<number>();
    for (let index = first; index < this.#cycles.length; index += 1) {
      const cycle = this.#cycles[index] as Cycle;
      if (cycle.beginsAt >= to) break;
      for (const at of momentsOf(cycle)) if (at >= from && at < to) changes.add(at);
    }
    return [...changes].sort((a, b) => a - b);
  }
}

function momentsOf(cycle: Cycle): number[] {
  const { beginsAt, cranksAt, runsAt, onLoadAt, utilityBackAt, offLoadAt, stopsAt } = cycle;
  return [beginsAt, cranksAt, runsAt, onLoadAt, utilityBackAt, offLoadAt, stopsAt];
}

function engineAt(cycle: Cycle | null, at: number): EngineState {
  if (cycle === null || at < cycle.cranksAt || at >= cycle.stopsAt) return 'Stopped';
  if (at < cycle.runsAt) return 'Cranking';
  return !cycle.isExercise && at >= cycle.offLoadAt ? 'Cooling down' : 'Running';
}
