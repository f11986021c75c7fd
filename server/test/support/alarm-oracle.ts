/**
 * Alarm judgement written a second time, as a controls engineer would wire it: a signal with a
 * hysteresis, and one delayed output that follows it. It shares no code and no shape with the server.
 */
export interface OracleTerms {
  readonly operator: string;
  readonly threshold: number | null;
  readonly onDelay: number;
  readonly offDelay: number;
  readonly deadband: number;
}

const HOLDS: Readonly<Record<string, (value: number, threshold: number) => boolean>> = {
  LESS_THAN: (value, threshold) => value < threshold,
  LESS_THAN_OR_EQUAL: (value, threshold) => value <= threshold,
  GREATER_THAN: (value, threshold) => value > threshold,
  GREATER_THAN_OR_EQUAL: (value, threshold) => value >= threshold,
  EQUAL: (value, threshold) => value === threshold,
  NOT_EQUAL: (value, threshold) => value !== threshold,
};

interface Observation {
  readonly stamp: number;
  /** The time that it counts for. */
  readonly at: number;
  readonly value: number;
  readonly now: number;
}

interface Timer {
  readonly from: number;
  readonly value: number;
  readonly arrived: number;
}

export class AlarmOracle {
  /** Every event line, in the order of judgement. */
  readonly lines: string[] = [];
  #terms: OracleTerms;
  #output = false;
  #timer: Timer | undefined;
  #newest = Number.NEGATIVE_INFINITY;
  readonly #log: { readonly stamp: number; readonly value: number }[] = [];
  #lastGiven = Number.NEGATIVE_INFINITY;
  #raisedAt = 0;
  /** The output does not move by itself before this, unless the timer was started after the gap. */
  #gap: { readonly ended: number; readonly quietUntil: number } | undefined;

  constructor(terms: OracleTerms) {
    this.#terms = terms;
  }

  get state(): string {
    return `${this.#output ? 'on' : 'off'}${this.#timer ? ' turning' : ''}`;
  }

  /** The line was dead until now, and what was measured meanwhile comes within the grace. */
  gap(now: number, grace: number): void {
    this.#gap = { ended: now, quietUntil: now + grace };
  }

  /** What bears no stamp gets one: the time at which it is seen, and never one twice. */
  unstamped(value: number, now: number): number {
    const stamp = this.#lastGiven < now ? now : this.#lastGiven + 1;
    this.#lastGiven = stamp;
    this.#observe({ stamp, at: stamp, value, now });
    return stamp;
  }

  /** A stamp of the future is read off as the time at which it is seen. */
  reading(stamp: number, value: number, now: number): void {
    this.#observe({ stamp, at: Math.min(stamp, now), value, now });
  }

  /** On paper already: it was delivered twice, or lies behind another of the future that came with it. */
  #isKnown({ stamp, at, value }: Observation): boolean {
    const log = this.#log;
    const furthest = log.findLast((one) => log.every((line) => line.stamp <= one.stamp));
    if (furthest === undefined || stamp > furthest.stamp) return false;
    const isFuture = stamp > at;
    if (stamp < furthest.stamp) {
      const known = log.findLast((line) => line.stamp === stamp);
      return known?.value === value || (isFuture && at === this.#newest);
    }
    return furthest.value === value && (isFuture || furthest.stamp > this.#newest);
  }

  #observe(observation: Observation): void {
    const { stamp, at, value, now } = observation;
    if (at < this.#newest || this.#isKnown(observation)) return;
    this.#log.push({ stamp, value });
    // A given stamp may run ahead of what has been seen.
    this.#newest = Math.min(at, now);
    if (this.#timer && at > this.#timer.from + this.#delay()) this.#flip(this.#timer);
    if (this.#signal(value) === this.#output) {
      this.#timer = undefined;
      return;
    }
    this.#timer ??= { from: at, value, arrived: now };
    if (at >= this.#timer.from + this.#delay()) this.#flip(this.#timer);
  }

  clock(now: number): void {
    const timer = this.#timer;
    if (!timer) return;
    const isOlder = this.#gap !== undefined && timer.arrived < this.#gap.ended;
    if (isOlder && now < (this.#gap?.quietUntil ?? 0)) return;
    if (now - timer.arrived >= this.#delay()) this.#flip(timer);
  }

  /** Only what is watched, or whether, ends what is under way. */
  edit(terms: OracleTerms, reason: string | null, now: number): void {
    this.#terms = terms;
    if (reason === null) return;
    if (this.#output) this.lines.push(`cleared ${Math.max(now, this.#raisedAt)} null ${reason}`);
    this.#output = false;
    this.#timer = undefined;
  }

  #delay(): number {
    return this.#output ? this.#terms.offDelay : this.#terms.onDelay;
  }

  #signal(value: number): boolean {
    const { operator, threshold, deadband } = this.#terms;
    if (threshold === null) return false;
    const back = this.#output ? deadband : 0;
    const edge = operator.startsWith('GREATER') ? threshold - back : threshold + back;
    return HOLDS[operator]?.(value, edge) ?? false;
  }

  #flip({ from, value }: Timer): void {
    const at = from + this.#delay();
    this.#timer = undefined;
    this.#output = !this.#output;
    if (this.#output) {
      this.#raisedAt = at;
      this.lines.push(`raised ${at} ${value}`);
    } else {
      this.lines.push(`cleared ${Math.max(at, this.#raisedAt)} ${value} RECOVERED`);
    }
  }
}
