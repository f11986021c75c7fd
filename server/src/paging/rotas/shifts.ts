import { type RotaLayer, type RotaOverride, WEEKDAYS } from '@fieldwatch/contract';
import {
  openTimeZone,
  type Period,
  periodsOfWeeklyHours,
  type TimeZone,
  timeOfDayMs,
  weekdayOf,
} from '../../runtime/index.ts';

/** What decides who is on call. */
export interface RotaPlan {
  readonly timeZone: string;
  readonly layers: readonly RotaLayer[];
  readonly overrides: readonly RotaOverride[];
}

/** One person, or nobody, from a moment up to another, exclusive. */
export interface Shift extends Period {
  readonly userId: string | null;
}

interface Turn extends Period {
  readonly userId: string;
}

const HOUR_MS = 3_600_000;
const DAY_MS = 24 * HOUR_MS;
const UNIT_MS = { HOURS: HOUR_MS, DAILY: DAY_MS, WEEKLY: 7 * DAY_MS } as const;

/** Null when nobody is on call. */
export function onCallAt(rota: RotaPlan, at: number): string | null {
  return shiftsOf(rota, at, at + 1)[0]?.userId ?? null;
}

/**
 * Who is on call from a moment up to another, without a break: nobody is a shift of null, and what
 * follows each other differs. Turns are counted on the wall clock of the rota's time zone, so that a
 * hand-off at 08:00 is at 08:00 before and after a change of the clock.
 */
export function shiftsOf(rota: RotaPlan, from: number, to: number): Shift[] {
  const zone = openTimeZone(rota.timeZone);
  const within = { from, to };
  let turns: Turn[] = [];
  for (const layer of rota.layers) turns = overlaid(turns, turnsOf(zone, layer, within));
  for (const { userId, fromDateTime, toDateTime } of rota.overrides) {
    const override = {
      userId,
      from: Math.max(from, Date.parse(fromDateTime)),
      to: Math.min(to, Date.parse(toDateTime)),
    };
    if (override.from < override.to) turns = overlaid(turns, [override]);
  }
  return withGaps(turns, within);
}

/** The turns of a layer by itself, those of nobody left out. */
function turnsOf(zone: TimeZone, layer: RotaLayer, { from, to }: Period): Turn[] {
  const { userIds, rotation, every } = layer;
  const startsAt = Date.parse(`${layer.startDate}T00:00:00Z`) + timeOfDayMs(layer.handoffTime);
  const anchor = startsAt - daysSinceHandoff(layer, startsAt) * DAY_MS;
  const lengthMs = every * UNIT_MS[rotation];
  const begin = Math.max(from, zone.momentOf(startsAt));
  const handoff = (number: number) => zone.momentOf(anchor + number * lengthMs);
  // A day earlier than the wall clock says: a change of the clock may have put a hand-off off.
  const estimate = Math.floor((zone.wallTimeAt(begin) - DAY_MS - anchor) / lengthMs);
  const turns: Turn[] = [];
  for (let number = Math.max(0, estimate); handoff(number) < to; number += 1) {
    const userId = userIds[number % userIds.length] ?? null;
    const turn = {
      from: Math.max(begin, handoff(number)),
      to: Math.min(to, handoff(number + 1)),
    };
    if (userId !== null && turn.from < turn.to) turns.push({ userId, ...turn });
  }
  if (layer.hours.length === 0) return turns;
  return cutTo(turns, periodsOfWeeklyHours(zone, layer.hours, { from, to }));
}

/** A weekly layer that starts between two hand-offs begins with a shorter turn. */
function daysSinceHandoff({ handoffWeekday }: RotaLayer, startsAt: number): number {
  if (handoffWeekday === null) return 0;
  return (weekdayOf(startsAt) - WEEKDAYS.indexOf(handoffWeekday) + 7) % 7;
}

/** The parts of turns that lie in one of the periods; both are in order and without overlaps. */
function cutTo(turns: readonly Turn[], periods: readonly Period[]): Turn[] {
  const parts: Turn[] = [];
  let first = 0;
  for (const turn of turns) {
    while ((periods[first]?.to ?? Number.POSITIVE_INFINITY) <= turn.from) first += 1;
    for (let index = first; index < periods.length; index += 1) {
      const period = periods[index];
      if (!period || period.from >= turn.to) break;
      const from = Math.max(turn.from, period.from);
      parts.push({ userId: turn.userId, from, to: Math.min(turn.to, period.to) });
    }
  }
  return parts;
}

/** Both, the upper ones where both are; each list is in order and without overlaps. */
function overlaid(lower: readonly Turn[], upper: readonly Turn[]): Turn[] {
  const uncovered = lower.length === 0 ? [] : cutTo(lower, periodsBetween(upper));
  return [...uncovered, ...upper].sort((a, b) => a.from - b.from);
}

function periodsBetween(turns: readonly Turn[]): Period[] {
  const periods: Period[] = [];
  let from = Number.NEGATIVE_INFINITY;
  for (const turn of turns) {
    if (turn.from > from) periods.push({ from, to: turn.from });
    from = turn.to;
  }
  return [...periods, { from, to: Number.POSITIVE_INFINITY }];
}

function withGaps(turns: readonly Turn[], { from, to }: Period): Shift[] {
  const shifts: Shift[] = [];
  const add = (shift: Shift) => {
    const last = shifts.at(-1);
    if (last?.userId === shift.userId) shifts[shifts.length - 1] = { ...last, to: shift.to };
    else shifts.push(shift);
  };
  let at = from;
  for (const turn of turns) {
    if (turn.from > at) add({ userId: null, from: at, to: turn.from });
    add(turn);
    at = turn.to;
  }
  if (at < to) add({ userId: null, from: at, to });
  return shifts;
}
