import { chance, seedFor } from './random.ts';
import type { Site } from './site.ts';
import { DAY, EPOCH, HOUR, MINUTE, SECOND, WEEK } from './time.ts';

/** One run of the generator: the utility is lost, or the generator is tested. */
export interface Cycle {
  readonly isExercise: boolean;
  /** When the utility is lost; for a test, when cranking begins. */
  readonly beginsAt: number;
  readonly cranksAt: number;
  readonly runsAt: number;
  /** When the load is on the generator; never during a test. */
  readonly onLoadAt: number;
  readonly offLoadAt: number;
  /** The utility is back. */
  readonly utilityBackAt: number;
  readonly stopsAt: number;
}

/** A fault of the utility or of a battery charger, from its beginning to its end. */
export interface Outage {
  readonly from: number;
  readonly to: number;
}

const START_DELAY = 3 * SECOND;
const CRANKING = 4 * SECOND;
const TRANSFER_AFTER = 10 * SECOND;
const RETURN_DELAY = 5 * MINUTE;
const COOL_DOWN = 3 * MINUTE;
const EXERCISE = 30 * MINUTE;
const SHORTEST_OUTAGE = 30 * SECOND;
const LONGEST_OUTAGE = 4 * HOUR;
const OUTAGES_PER_WEEK = 0.3;

function outageCycle({ from, to }: Outage): Cycle {
  const utilityBackAt = Math.max(to, from + SHORTEST_OUTAGE);
  return {
    isExercise: false,
    beginsAt: from,
    cranksAt: from + START_DELAY,
    runsAt: from + START_DELAY + CRANKING,
    onLoadAt: from + TRANSFER_AFTER,
    utilityBackAt,
    offLoadAt: utilityBackAt + RETURN_DELAY,
    stopsAt: utilityBackAt + RETURN_DELAY + COOL_DOWN,
  };
}

function exerciseCycle(from: number): Cycle {
  const stopsAt = from + EXERCISE;
  return {
    isExercise: true,
    beginsAt: from,
    cranksAt: from,
    runsAt: from + CRANKING,
    onLoadAt: stopsAt,
    offLoadAt: stopsAt,
    utilityBackAt: from,
    stopsAt,
  };
}

function overlap(one: Cycle, other: Cycle): boolean {
  return one.beginsAt <= other.stopsAt && other.beginsAt <= one.stopsAt;
}

/** When a week of the site begins: local midnight between Sunday and Monday. */
function weekStart(site: Site, week: number): number {
  return EPOCH + week * WEEK - site.utcOffsetMs;
}

export function weekOf(site: Site, at: number): number {
  return Math.floor((at - EPOCH + site.utcOffsetMs) / WEEK);
}

/** On the same weekday at the same time of each week, between 9 and 12 o'clock. */
function exerciseOf(site: Site, week: number): Cycle {
  const seed = seedFor(site.seed, 'exercise');
  const day = Math.floor(chance(seed, 0) * 5);
  const quarter = Math.floor(chance(seed, 1) * 12);
  return exerciseCycle(weekStart(site, week) + day * DAY + 9 * HOUR + quarter * 15 * MINUTE);
}

/** Short outages are frequent, long ones rare. An outage ends within its week. */
function outageOf(site: Site, week: number): Outage | null {
  const seed = seedFor(site.seed, `outage ${week}`);
  if (chance(seed, 0) >= OUTAGES_PER_WEEK) return null;
  const range = Math.log(LONGEST_OUTAGE / SHORTEST_OUTAGE);
  const length = SHORTEST_OUTAGE * Math.exp(range * chance(seed, 1));
  const from = Math.floor(weekStart(site, week) + chance(seed, 2) * (WEEK - 12 * HOUR));
  return { from, to: Math.floor(from + length) };
}

/** The runs of the generator in a week, in time order and without overlap. */
export function cyclesOf(site: Site, week: number, asked: readonly Outage[]): Cycle[] {
  const exercise = exerciseOf(site, week);
  const cycles = [exercise];
  const outage = outageOf(site, week);
  if (outage) {
    const planned = outageCycle(outage);
    const late = exercise.stopsAt - planned.beginsAt + HOUR;
    cycles.push(
      overlap(planned, exercise)
        ? outageCycle({ from: outage.from + late, to: outage.to + late })
        : planned,
    );
  }
  const wanted = asked.map(outageCycle);
  return [
    ...cycles.filter((cycle) => !wanted.some((each) => overlap(cycle, each))),
    ...wanted.filter(({ beginsAt }) => weekOf(site, beginsAt) === week),
  ].sort((a, b) => a.beginsAt - b.beginsAt);
}
