/** How long a server that is ready again leaves holds to the readings that Devices buffered. */
const GRACE_MS = 30_000;
/** How long the clock may take to end what is due, and how early it is seen as a race. */
const MARGIN_MS = 3_000;
/** A clock that is set forward by more counts as an outage: a resumed machine looks the same. */
const STALL_MS = 5_000;

/** A span of the harness's own time. */
interface Span {
  readonly from: number;
  /** Infinity while it lasts. */
  to: number;
}

/** From when on the server may have had this clock, and since when it had. */
interface ClockSetting extends Span {
  readonly offsetMs: number;
}

/** Whether the clock ended a hold before the next reading was judged. */
export type ClockVerdict = 'ended' | 'waited' | 'either';

/** A pending hold and the reading that follows it, in the harness's own time. */
export interface HoldSpan {
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
  readonly #clocks: ClockSetting[] = [
    { from: Number.NEGATIVE_INFINITY, to: Number.NEGATIVE_INFINITY, offsetMs: 0 },
  ];

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

  /** The server's clock is being set; from the call of the answer on it is. */
  beginStep(offsetMs: number): () => void {
    const setting = { from: Date.now(), to: Number.POSITIVE_INFINITY, offsetMs };
    this.#clocks.push(setting);
    return () => {
      setting.to = Date.now();
    };
  }

  /** The server's clock at a moment. */
  serverTime(at: number): number {
    return at + (this.#clocks.findLast(({ from }) => from <= at)?.offsetMs ?? 0);
  }

  /** Between which times something arrived, by each clock that the server may have had then. */
  arrivalsOf(sentAt: number, ackedAt: number): (readonly [number, number])[] {
    const had = this.#clocks.filter(({ from }, index) => {
      const nextIsSet = this.#clocks[index + 1]?.to ?? Number.POSITIVE_INFINITY;
      return from <= ackedAt && nextIsSet >= sentAt;
    });
    const offsets = new Set(had.map(({ offsetMs }) => offsetMs));
    return [...offsets].map((offsetMs) => [sentAt + offsetMs, ackedAt + offsetMs]);
  }

  /** When the server could not take readings, or takes it that it could not. */
  #interruptions(): Span[] {
    const jumps = this.#clocks.filter(({ offsetMs }, index) => {
      const before = this.#clocks[index - 1];
      return before !== undefined && offsetMs - before.offsetMs > STALL_MS;
    });
    return [...this.#outages, ...jumps];
  }

  /** When the server was last given back what it needs; null while an outage lasts. */
  lastOutageEnd(): number | null {
    const end = Math.max(0, ...this.#outages.map(({ to }) => to));
    return end === Number.POSITIVE_INFINITY ? null : end;
  }

  /**
   * A hold that an outage met waits for its next reading until the server has been ready for half a
   * minute; otherwise the clock ends it a full hold after it began, however it was set meanwhile.
   * What is too close to say is either.
   */
  verdictOn(span: HoldSpan): ClockVerdict {
    const firstDue = span.begunSentAt + span.holdMs;
    const lastDue = span.begunAckedAt + span.holdMs;
    const interruptions = this.#interruptions();
    const isDuring = ({ from }: Span) => from > span.begunAckedAt && from <= span.nextAckedAt;
    const during = interruptions.filter(isDuring);
    // After a restart the arrival of the hold is known by the clock alone.
    if (this.#outages.some(isDuring) && this.#clocks.some(isDuring)) return 'either';
    if (span.nextAckedAt < firstDue - MARGIN_MS) return 'waited';
    const isNear = ({ from, to }: Span) =>
      from <= span.nextAckedAt && to >= span.begunSentAt - GRACE_MS;
    const [first] = during;
    if (first) {
      if (lastDue + MARGIN_MS < first.from) return 'ended';
      if (firstDue - MARGIN_MS < first.from) return 'either';
      const readyAt = Math.max(...during.map(({ to }) => to));
      return span.nextAckedAt < readyAt + GRACE_MS - MARGIN_MS ? 'waited' : 'either';
    }
    if (interruptions.some(isNear)) return 'either';
    return span.nextSentAt > lastDue + MARGIN_MS ? 'ended' : 'either';
  }
}
