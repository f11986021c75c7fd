import type { LiveReading } from './announcement.ts';
import type { Filter } from './stream/index.ts';

/** Called with each reading after it is stored, at whichever node. It must return at once. */
export type ReadingListener = (reading: LiveReading) => void;

const EVERYTHING: Filter = { variables: null, devices: null };

/** Parts of this server that follow the values of organizations, as streams of clients do. */
export class ReadingListeners {
  readonly #byOrganization = new Map<string, Set<ReadingListener>>();

  get isEmpty(): boolean {
    return this.#byOrganization.size === 0;
  }

  /** Returns a function that removes the listener. */
  add(organizationId: string, listener: ReadingListener): () => void {
    const listeners = this.#byOrganization.get(organizationId) ?? new Set();
    this.#byOrganization.set(organizationId, listeners.add(listener));
    return () => {
      listeners.delete(listener);
      if (listeners.size === 0) this.#byOrganization.delete(organizationId);
    };
  }

  announce(readings: readonly LiveReading[]): void {
    if (this.isEmpty) return;
    for (const reading of readings) {
      const listeners = this.#byOrganization.get(reading.variable.organizationId);
      if (listeners) for (const listener of listeners) listener(reading);
    }
  }

  /** The filters of streams together with those of the listeners, by organization. */
  filtersWith(
    filters: ReadonlyMap<string, readonly Filter[]>,
  ): ReadonlyMap<string, readonly Filter[]> {
    if (this.isEmpty) return filters;
    const all = new Map(filters);
    for (const organizationId of this.#byOrganization.keys()) all.set(organizationId, [EVERYTHING]);
    return all;
  }
}
