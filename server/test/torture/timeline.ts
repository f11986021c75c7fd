/** How long a server that is ready again leaves holds to the readings that Devices buffered. */
const GRACE_MS = 30_000;
/** How long the clock may take to end what is due, and how early it is seen as a race. */
const MARGIN_MS = 3_000;

/** A span of the harness's own time. */
interface Span {
  readonly from: number;
  /** Infinity while it lasts. */
  to: number;
}

interface ClockStep {
  readonly at: number;
  readonly offsetMs: number;
}

/** Whether the clock ended a hold before the next reading was judged. */
export type ClockVerdict = 'ended' | 'waited' | 'either';

/** A pending hold and the reading that follows it, in the harness's own time. */
export interface HoldSpan {
  /** Reading time at which the hold began. */
  readonly begunAt: number;
  readonly begunSentAt: number;
  readonly begunAckedAt: number;
  readonly holdMs: number;
  readonly nextSentAt: number;
  readonly nextAckedAt: number;
}

/** What was done to the server when: outages and steps of its clock. */
export class Timeline {
  readonly start = Date.now();
  readonly #outages: Span[] = [];
  readonly #silences: Span[] = [];
  readonly #steps: ClockStep[] = [];

  /** The server is down or its storage unavailable, until the answer is called. */
  beginOutage(): () => void {
    const outage = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    this.#outages.push(outage);
    return () => {
      outage.to = Date.now();
    };
  }

  /** Nothing is delivered until the answer is called; then connections are reset. */
  beginSilence(): () => void {
    const silence = { from: Date.now(), to: Number.POSITIVE_INFINITY };
    this.#silences.push(silence);
    return () => {
      silence.to = Date.now();
    };
  }

  /**
   * Until when a connection that was seen to end could deliver: with the network silent, or storage
   * unavailable, nothing came any more. One such span may follow another.
   */
  endOfConnection(seenAt: number): number {
    const spans = [...this.#silences, ...this.#outages];
    const own = spans.find(({ from, to }) => from < seenAt && seenAt <= to + MARGIN_MS);
    return own ? this.endOfConnection(own.from) : seenAt;
  }

  stepClock(offsetMs: number): void {
    this.#steps.push({ at: Date.now(), offsetMs });
  }

  /** The server's clock at a moment. */
  serverTime(at: number): number {
    return at + (this.#steps.findLast((step) => step.at <= at)?.offsetMs ?? 0);
  }

  /** Between which times something arrived, by each clock that the server may have had then. */
  arrivalsOf(sentAt: number, ackedAt: number): (readonly [number, number])[] {
    const before = sentAt - MARGIN_MS;
    const set = this.#steps.filter(({ at }) => isNear(at, sentAt, ackedAt));
    const offsets = [this.serverTime(before) - before, ...set.map(({ offsetMs }) => offsetMs)];
    return [...new Set(offsets)].map((offsetMs) => [sentAt + offsetMs, ackedAt + offsetMs]);
  }

  /** Whether the server's clock was set between two moments, a little margin included. */
  wasStepped(from: number, to: number): boolean {
    return this.#steps.some(({ at }) => isNear(at, from, to));
  }

  hadOutage(from: number, to: number): boolean {
    return this.#outages.some((outage) => outage.from <= to && outage.to >= from);
  }

  /** When the server was last given back what it needs; null while an outage lasts. */
  lastOutageEnd(): number | null {
    const end = Math.max(0, ...this.#outages.map(({ to }) => to));
    return end === Number.POSITIVE_INFINITY ? null : end;
  }

  /**
   * A hold that an outage met waits for its next reading until the server has been ready for half a
   * minute; otherwise the clock ends it when it is due. What is too close to say is either.
   */
  verdictOn(span: HoldSpan): ClockVerdict {
    if (this.wasStepped(span.begunSentAt, span.nextAckedAt)) return 'either';
    const firstDue = Math.max(span.begunAt, span.begunSentAt) + span.holdMs;
    const lastDue = Math.max(span.begunAt, span.begunAckedAt) + span.holdMs;
    if (span.nextAckedAt < firstDue - MARGIN_MS) return 'waited';
    const met = this.#outages.filter(
      ({ from }) => from > span.begunAckedAt && from <= span.nextAckedAt,
    );
    const [first] = met;
    if (first) {
      if (lastDue + MARGIN_MS < first.from) return 'ended';
      if (firstDue - MARGIN_MS < first.from) return 'either';
      const readyAt = Math.max(...met.map(({ to }) => to));
      return span.nextAckedAt < readyAt + GRACE_MS - MARGIN_MS ? 'waited' : 'either';
    }
    if (this.hadOutage(span.begunSentAt - GRACE_MS, span.nextAckedAt)) return 'either';
    return span.nextSentAt > lastDue + MARGIN_MS ? 'ended' : 'either';
  }
}

function isNear(at: number, from: number, to: number): boolean {
  return at >= from - MARGIN_MS && at <= to + MARGIN_MS;
}
