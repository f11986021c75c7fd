import { setTimeout as sleep } from 'node:timers/promises';
import type { AlarmStation, AlarmStationOptions } from './alarm-station.ts';
import type { Terms, Value } from './oracle.ts';

/** One thing that happens at a Device, from clear to clear. */
type Episode = (station: AlarmStation) => Promise<void>;

export interface AlarmScenario extends Pick<AlarmStationOptions, 'name' | 'type' | 'terms'> {
  readonly episode: Episode;
  /** At least so long from one episode to the next, so that messages do not become digests. */
  readonly everyMs: number;
}

const plain: Terms = {
  ...{ operator: 'GREATER_THAN', threshold: 50, holdMs: 0, clearDelayMs: 0, deadband: 0 },
};

const pause = (station: AlarmStation, least: number, most: number) =>
  sleep(least + station.harness.random.below(most - least));

/** Raises and clears at once; between them a late reading, and at times a correction. */
function immediate(hot: Value, cold: Value): Episode {
  return async (station) => {
    const at = Date.now();
    const { isClean } = await station.report(at, hot);
    await pause(station, 200, 1_500);
    // Stored, and not judged.
    await station.report(at - 3_600_000, cold);
    if (isClean && station.harness.random.below(2) === 0) {
      const again = Date.now();
      const first = await station.report(again, hot);
      if (first.isClean) await station.report(again, cold);
    }
    await pause(station, 200, 1_500);
    await station.report(Date.now(), cold);
  };
}

/** Comes back over the threshold, and only then over the deadband. */
const wavering: Episode = async (station) => {
  for (const value of [60, 45, 55, 41, 39]) {
    await station.report(Date.now(), value);
    await pause(station, 100, 800);
  }
};

/** Nothing follows the first reading: the clock alone ends the hold. */
const silent: Episode = async (station) => {
  const at = Date.now();
  await station.report(at, 60);
  await station.openEvent(at + station.terms.holdMs);
  await station.report(Date.now(), 40);
};

/** Recovers long before the hold ends. What is measured in an outage is delivered after it. */
const broken: Episode = async (station) => {
  await station.report(Date.now(), 60);
  await pause(station, 1_000, 4_000);
  await station.report(Date.now(), 40);
};

/** Measured every second through the end of the hold, and delivered in order when that can be. */
const confirmed: Episode = async (station) => {
  const begin = Date.now();
  const seconds = station.terms.holdMs / 1_000 + 3;
  for (let second = 0; second <= seconds; second += 1) {
    const at = begin + second * 1_000;
    await sleep(Math.max(0, at - Date.now()));
    await station.report(at, second < seconds ? 60 + second : 40);
  }
};

const BACKLOG_MS = 20 * 86_400_000;

/** A backlog of days ago: a hold that runs out and one that breaks, within messages. */
const backlog: Episode = async (station) => {
  const { holdMs, clearDelayMs } = station.terms;
  const begin = station.harness.timeline.start - BACKLOG_MS + station.episodes * 3_600_000;
  const second = begin + holdMs + 60_000;
  await station.reportAll([
    { at: begin, value: 60 },
    { at: begin + holdMs + 10_000, value: 61 },
    { at: begin + holdMs + 20_000, value: 40 },
  ]);
  await station.reportAll([
    { at: second, value: 62 },
    { at: second + holdMs / 2, value: 40 },
    { at: second + holdMs + clearDelayMs + 10_000, value: 39 },
  ]);
};

const AHEAD_MS = 3 * 60_000;

/** A reading ahead of the clock, and then one of now: the first must not blind for the second. */
const ahead: Episode = async (station) => {
  const { timeline } = station.harness;
  await station.report(timeline.serverTime(Date.now()) + AHEAD_MS, 60);
  await pause(station, 1_000, 2_000);
  await station.report(timeline.serverTime(Date.now()), 40);
};

export const SCENARIOS: readonly AlarmScenario[] = [
  { name: 'immediate', type: 'NUMBER', terms: plain, episode: immediate(60, 40), everyMs: 9_000 },
  {
    name: 'immediate boolean',
    type: 'BOOLEAN',
    terms: { ...plain, operator: 'EQUAL', threshold: true },
    episode: immediate(true, false),
    everyMs: 9_000,
  },
  {
    name: 'immediate string',
    type: 'STRING',
    terms: { ...plain, operator: 'NOT_EQUAL', threshold: 'normal' },
    episode: immediate('tripped', 'normal'),
    everyMs: 9_000,
  },
  {
    name: 'deadband',
    type: 'NUMBER',
    terms: { ...plain, deadband: 10 },
    episode: wavering,
    everyMs: 9_000,
  },
  {
    name: 'hold ended by the clock',
    type: 'NUMBER',
    terms: { ...plain, holdMs: 2_000 },
    episode: silent,
    everyMs: 7_000,
  },
  {
    name: 'hold broken',
    type: 'NUMBER',
    terms: { ...plain, holdMs: 12_000 },
    episode: broken,
    everyMs: 3_000,
  },
  {
    name: 'hold confirmed',
    type: 'NUMBER',
    terms: { ...plain, holdMs: 4_000 },
    episode: confirmed,
    everyMs: 9_000,
  },
  {
    name: 'clear delay',
    type: 'NUMBER',
    terms: { ...plain, holdMs: 2_000, clearDelayMs: 60_000 },
    episode: backlog,
    everyMs: 7_000,
  },
  {
    name: 'backlog',
    type: 'NUMBER',
    terms: { ...plain, holdMs: 30_000 },
    episode: backlog,
    everyMs: 7_000,
  },
  { name: 'ahead of the clock', type: 'NUMBER', terms: plain, episode: ahead, everyMs: 7_000 },
];

export async function runEpisodes(station: AlarmStation, scenario: AlarmScenario): Promise<void> {
  await sleep(station.harness.random.below(2_000));
  while (!station.isDone) {
    const began = Date.now();
    await scenario.episode(station);
    station.episodes += 1;
    await station.learnRaces();
    const left = scenario.everyMs - (Date.now() - began);
    if (left > 0)
      await sleep(left, undefined, { signal: station.harness.stopping }).catch(() => undefined);
  }
}
