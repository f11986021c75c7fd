import type { ArrivalTimes } from './arrival-times.ts';

/** The time of a forwarded message, which its readings without a timestamp get. */
export interface ForwardedTime {
  readonly at: number;
  /** It is sent again with this time: it was stored with it, or no other message has it. */
  readonly isFixed: boolean;
}

/**
 * The times of the readings of a forwarded message: the node that received it chose them, so that it
 * can send it again with the same ones. Each further reading of a Variable is a millisecond later.
 */
export class ForwardedTimes {
  readonly #arrivals: Pick<ArrivalTimes, 'earliest' | 'reserve'>;
  readonly #time: ForwardedTime;
  /** The last time of each series of the message. */
  readonly #last = new Map<number, number>();

  constructor(arrivals: Pick<ArrivalTimes, 'earliest' | 'reserve'>, time: ForwardedTime) {
    this.#arrivals = arrivals;
    this.#time = time;
  }

  next(seriesId: number): number {
    const last = this.#last.get(seriesId);
    const at = last === undefined ? this.#time.at : last + 1;
    this.#last.set(seriesId, at);
    return at;
  }

  /**
   * Reserves the times for the message. Answers with a later time where they may be in use: that is
   * reserved for it, and the message has to be sent again with it. Null when it may be stored.
   */
  reserve(): number | null {
    const { at, isFixed } = this.#time;
    const series = [...this.#last.keys()];
    const earliest = isFixed
      ? at
      : Math.max(at, ...series.map((id) => this.#arrivals.earliest(id)));
    for (const [seriesId, last] of this.#last)
      this.#arrivals.reserve(seriesId, last - at + earliest);
    return earliest === at ? null : earliest;
  }
}
