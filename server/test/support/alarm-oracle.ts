/**
 * Alarm judgement told a second time, as a controls engineer would wire it: a signal with a
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

interface Timer {
  readonly from: number;
  readonly value: number;
  readonly arrived: number;
}

export class AlarmOracle {
  /** Every event line, in the order in which it was told. */
  readonly told: string[] = [];
  #terms: OracleTerms;
  #output = false;
  #timer: Timer | undefined;
  #newest = Number.NEGATIVE_INFINITY;
  #raisedAt = 0;

  constructor(terms: OracleTerms) {
    this.#terms = terms;
  }

  get state(): string {
    return `${this.#output ? 'on' : 'off'}${this.#timer ? ' turning' : ''}`;
  }

  reading(at: number, value: number, now: number): void {
    if (at < this.#newest) return;
    this.#newest = at;
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
    const enough = [timer.from, timer.arrived].every((since) => now - since >= this.#delay());
    if (enough) this.#flip(timer);
  }

  /** Only what is watched, or whether, ends what is under way. */
  edit(terms: OracleTerms, reason: string | null, now: number): void {
    this.#terms = terms;
    if (reason === null) return;
    if (this.#output) this.told.push(`cleared ${Math.max(now, this.#raisedAt)} null ${reason}`);
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
      this.told.push(`raised ${at} ${value}`);
    } else {
      this.told.push(`cleared ${Math.max(at, this.#raisedAt)} ${value} RECOVERED`);
    }
  }
}
