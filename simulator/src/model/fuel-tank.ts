import type { Cycle } from './cycles.ts';
import type { Site } from './site.ts';
import { DAY, EPOCH, HOUR, MINUTE } from './time.ts';

interface Knot {
  readonly at: number;
  /** From 0 to 1, with linear interpolation between two knots. */
  readonly level: number;
}

const FULL = 0.95;
/** Below this level after a run, the tank is refuelled the next day. */
const ORDER_BELOW = 0.6;
/** At this level during a run, the tank is refuelled at once. */
const EMERGENCY = 0.15;
const FILLING = 20 * MINUTE;
/** The consumption at full load, per rated kW. */
const LITRES_PER_KWH = 0.27;
const IDLE_PART = 0.12;

/** The level of a tank: it falls while the generator runs and rises when it is filled. */
export class FuelTank {
  readonly #site: Site;
  readonly #knots: Knot[] = [{ at: EPOCH, level: FULL }];
  #tankerAt: number | null = null;

  constructor(site: Site) {
    this.#site = site;
  }

  get #last(): Knot {
    return this.#knots.at(-1) as Knot;
  }

  /** Cycles are added in time order. */
  burn(cycle: Cycle, meanKw: number): void {
    this.#fillBefore(cycle.cranksAt);
    this.#knots.push({ at: Math.max(cycle.cranksAt, this.#last.at), level: this.#last.level });
    this.#fall(cycle.onLoadAt, 0);
    this.#fall(cycle.offLoadAt, meanKw);
    this.#fall(cycle.stopsAt, 0);
    if (this.#last.level < ORDER_BELOW) this.#tankerAt = this.#nextMorning(cycle.stopsAt);
  }

  levelAt(at: number): number {
    const next = this.#firstAfter(at);
    const after = this.#knots[next];
    const before = this.#knots[next - 1] ?? this.#last;
    // The last scheduled refuelling takes place, because no later run that could delay it is known.
    if (!after) return before.level;
    const way = (at - before.at) / (after.at - before.at);
    return before.level + (after.level - before.level) * way;
  }

  #firstAfter(at: number): number {
    let low = 0;
    let high = this.#knots.length;
    while (low < high) {
      const middle = (low + high) >>> 1;
      if ((this.#knots[middle] as Knot).at <= at) low = middle + 1;
      else high = middle;
    }
    return low;
  }

  #fillBefore(limit: number): void {
    const from = this.#tankerAt;
    this.#tankerAt = null;
    if (from === null || from + FILLING > limit) return;
    this.#knots.push({ at: from, level: this.#last.level }, { at: from + FILLING, level: FULL });
  }

  #fall(until: number, kw: number): void {
    const { generator, tankLitres } = this.#site;
    const part = IDLE_PART + (1 - IDLE_PART) * Math.min(1, kw / generator.ratedKw);
    const perMs = (part * generator.ratedKw * LITRES_PER_KWH) / tankLitres / HOUR;
    while (this.#last.at < until) {
      const { at, level } = this.#last;
      const left = level - (until - at) * perMs;
      if (left >= EMERGENCY) {
        this.#knots.push({ at: until, level: left });
        return;
      }
      const emptyAt = at + Math.max(0, level - EMERGENCY) / perMs;
      this.#knots.push(
        { at: emptyAt, level: Math.min(level, EMERGENCY) },
        { at: emptyAt + FILLING, level: FULL },
      );
    }
  }

  /** Between 10 and 11 o'clock local time. */
  #nextMorning(after: number): number {
    const offset = this.#site.utcOffsetMs;
    const midnight = Math.floor((after + offset) / DAY) * DAY - offset;
    return midnight + DAY + 10 * HOUR + (Math.abs(this.#site.seed) % 60) * MINUTE;
  }
}
