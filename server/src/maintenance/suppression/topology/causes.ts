import { SEVERITIES, type Severity } from '@fieldwatch/contract';
import type { NewId } from '../../../runtime/index.ts';
import type { Transaction } from '../../../storage/index.ts';
import type { Candidate, DigestCause } from '../candidate.ts';
import * as store from './store.ts';

/** What happens to the notification that a Device is offline. */
export type Cause =
  | { readonly action: 'SEND'; readonly digest: DigestCause | null }
  /** It is decided later, by the state of the topmost Device above. */
  | { readonly action: 'WAIT'; readonly causeId: string }
  | {
      readonly action: 'HOLD';
      readonly causeId: string;
      readonly underEventId: string;
      readonly detail: string;
    };

interface Outage extends store.OutageRow {
  /** The digest that reports it, while that is being made. */
  readonly digest: DigestCause | null;
}

/** Decides by the Devices above: parents, and the gateways that receive a sensor. */
export class Causes {
  readonly #above: ReadonlyMap<string, readonly store.AboveRow[]>;
  readonly #events: ReadonlyMap<string, string>;
  readonly #outages: Map<string, Outage>;
  readonly #newId: NewId;

  private constructor(
    above: ReadonlyMap<string, readonly store.AboveRow[]>,
    state: store.OfflineState,
    newId: NewId,
  ) {
    this.#above = above;
    this.#events = state.events;
    this.#outages = new Map(
      state.outages.map((each) => [each.deviceId, { ...each, digest: null }]),
    );
    this.#newId = newId;
  }

  static async load(
    tx: Transaction,
    candidates: readonly Candidate[],
    newId: NewId,
  ): Promise<Causes> {
    const above = await store.listAbove(tx, candidates.map(store.deviceName));
    const offline = [...above.values()].flat().filter(({ isOffline }) => isOffline);
    const names = new Map(offline.map((each) => [each.id, each]));
    return new Causes(above, await store.findOfflineState(tx, [...names.values()]), newId);
  }

  of(candidate: Candidate): Cause {
    const above = this.#above.get(candidate.event.deviceId) ?? [];
    const [top] = above;
    if (!top) return { action: 'SEND', digest: null };
    const wait = { action: 'WAIT', causeId: top.id } as const;
    const offline = above.filter(({ isOffline }) => isOffline);
    const reported = offline.find(({ id }) => this.#events.has(id));
    if (reported) return holdUnder(reported, this.#events.get(reported.id) ?? '');
    const [cause] = offline;
    if (!cause) return candidate.hasWaited ? { action: 'SEND', digest: null } : wait;
    return this.#byOutage(candidate, cause) ?? wait;
  }

  /** Outages that the candidates begin or make worse. */
  begun(): store.OutageRow[] {
    return [...this.#outages.values()].filter(({ digest }) => digest !== null);
  }

  /** Nothing reports the Device above: the events behind it do, as one message. */
  #byOutage(candidate: Candidate, cause: store.AboveRow): Cause | null {
    const { event, organizationId, hasWaited } = candidate;
    const known = this.#outages.get(cause.id);
    if (known && !isWorse(event.severity, known.severity)) {
      return known.digest
        ? { action: 'SEND', digest: known.digest }
        : holdUnder(cause, known.eventId);
    }
    if (!hasWaited) return null;
    const { eventId, digest } = known ?? { eventId: event.id, digest: null };
    const sent = digest ?? { id: this.#newId(), kind: 'DEVICE_OFFLINE', name: cause.name };
    const { severity } = event;
    const outage = { organizationId, deviceId: cause.id, eventId, severity, digest: sent };
    this.#outages.set(cause.id, outage);
    return { action: 'SEND', digest: sent };
  }
}

function holdUnder({ id, name }: store.AboveRow, underEventId: string): Cause {
  return { action: 'HOLD', causeId: id, underEventId, detail: `${name} is offline` };
}

function isWorse(severity: Severity, other: Severity): boolean {
  return SEVERITIES.indexOf(severity) > SEVERITIES.indexOf(other);
}
