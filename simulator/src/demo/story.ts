import { createFleet, type Outage } from '../model/index.ts';

/** The faults of a demo. They are stored from start to start, because the history contains them. */
export interface Story {
  /** The outages of the utility of the first site. */
  readonly outages: readonly Outage[];
  readonly chargerFailures: readonly Outage[];
}

export interface Moment {
  readonly now: number;
  /** The time of the last report of an earlier run; null when there is none. */
  readonly reportedUntil: number | null;
  readonly seed: number;
  /** How often the fleet reports. */
  readonly intervalMs: number;
}

export const EMPTY_STORY: Story = { outages: [], chargerFailures: [] };

const MINUTE = 60_000;
const HOUR = 60 * MINUTE;
/** The tank is low, and not yet refuelled, which happens at 15 %. */
const LOW_FUEL = 19.4;
const LONGEST_HOURS = 96;
const GOES_ON_FOR = 12 * HOUR;
/** Long enough for the battery to be low. */
const CHARGER_FAILED_FOR = 5 * HOUR;

/** The faults so far, with an incident in progress. One that is in progress stays unchanged. */
export function continued(story: Story, moment: Moment): Story {
  const { now } = moment;
  const goesOn = (list: readonly Outage[]) => list.some(({ to }) => to > now);
  const add = (list: readonly Outage[], beganAt: () => number) =>
    goesOn(list) ? list : [...list, { from: begin(moment, beganAt()), to: now + GOES_ON_FOR }];
  return {
    outages: add(story.outages, () => lowOnFuelSince(moment)),
    chargerFailures: add(story.chargerFailures, () => now - CHARGER_FAILED_FOR),
  };
}

/** Published history cannot be changed: the incident then begins a minute after the start. */
function begin({ now, reportedUntil }: Moment, wanted: number): number {
  return reportedUntil === null || wanted > reportedUntil ? wanted : now + MINUTE;
}

/** When the utility must have failed for the tank to be low at the last report before now. */
function lowOnFuelSince(moment: Moment): number {
  const { now } = moment;
  for (let hours = 1; hours < LONGEST_HOURS; hours += 0.25) {
    const from = now - hours * HOUR;
    if (reportedFuel(moment, { from, to: now + GOES_ON_FOR }) <= LOW_FUEL) return from;
  }
  return now - LONGEST_HOURS * HOUR;
}

function reportedFuel({ now, seed, intervalMs }: Moment, outage: Outage): number {
  const fleet = createFleet({ sites: 1, seed, intervalMs, outages: [outage] });
  let level = 100;
  for (const { values } of fleet.readingsBetween(now - 2 * intervalMs, now)) {
    const reported = values['fuel.level'];
    if (typeof reported === 'number') level = reported;
  }
  return level;
}
