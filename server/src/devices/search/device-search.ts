import type { Presence } from '../../presence/index.ts';
import {
  BoundedMap,
  type Clock,
  every,
  fold,
  type Log,
  type Periodic,
  Yielder,
} from '../../runtime/index.ts';
import type { PageRequest, Storage } from '../../storage/index.ts';
import { OrganizationIndex, type SearchQuery } from './organization-index.ts';
import { findSearched, listSearched, type SearchedRow } from './store.ts';

export interface DeviceSearchDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly presence: Pick<Presence, 'of'>;
  /** Whether this is the only node: others change Devices and their presence. */
  readonly isAlone: () => boolean;
  readonly limits?: DeviceSearchLimits;
}

export interface DeviceSearchLimits {
  /** The limit for the records of all organizations together. */
  readonly maxBytes: number;
  /** With more changes since it was loaded, an index is loaded again. */
  readonly maxChanges: number;
}

const DEVICE_SEARCH_LIMITS: DeviceSearchLimits = { maxBytes: 64 * 1024 * 1024, maxChanges: 2_000 };

const LOAD_BATCH_SIZE = 500;
const MAX_IDLE_MS = 600_000;
const EVICT_EVERY_MS = 60_000;
/** An organization that is too large is not loaded again before this time has passed. */
const REFUSAL_MS = 3_600_000;
const MAX_REFUSALS = 1_000;
/** Searches are answered by the database meanwhile, so that nothing waits for a load. */
const LOAD_URGENCY = 0.5;

/** One organization's index, from the begin of its load until it is dropped. */
interface Loaded {
  readonly index: OrganizationIndex;
  isReady: boolean;
  lastUsedAt: number;
  /** Devices that have changed since the index has read them. */
  changed: Set<string>;
  changeCount: number;
  reloading: Promise<void> | undefined;
}

/**
 * Finds Devices by a part of their names in memory. An organization is loaded at its first search and
 * dropped after ten minutes without one. While its index is missing, the database answers.
 *
 * Invariant: a Device whose committed state may differ from the index is in `changed`, from the load's
 * first query on. A search reads all of `changed` again before it answers.
 */
export class DeviceSearch {
  readonly #deps: DeviceSearchDeps;
  readonly #limits: DeviceSearchLimits;
  readonly #organizations = new Map<string, Loaded>();
  /** By organization that is too large: until when. */
  readonly #refused = new BoundedMap<string, number>(MAX_REFUSALS);
  readonly #evictions: Periodic;
  #loading: Promise<void> | undefined;
  #isStopped = false;
  readonly #answers = { memory: 0, database: 0 };

  constructor(deps: DeviceSearchDeps) {
    this.#deps = deps;
    this.#limits = deps.limits ?? DEVICE_SEARCH_LIMITS;
    this.#evictions = every(
      EVICT_EVERY_MS,
      () => this.evictIdle(),
      (error) => deps.log.error({ err: error }, 'eviction of idle search indexes failed'),
    );
  }

  start(): void {
    this.#evictions.start();
  }

  async stop(): Promise<void> {
    this.#isStopped = true;
    this.clear();
    await Promise.all([this.#evictions.stop(), this.loaded()]);
  }

  /** Resolves when no organization is being loaded. */
  async loaded(): Promise<void> {
    await this.#loading;
  }

  /** How many searches were answered, by what answered them. */
  readonly totals = (): Readonly<Record<string, number>> => this.#answers;

  /** The reply as JSON; undefined when it has to come from the database. */
  async find(
    organizationId: string,
    query: SearchQuery & PageRequest,
    options: { readonly showsKeys: boolean },
  ): Promise<string | undefined> {
    const json = await this.#find(organizationId, query, options);
    this.#answers[json ? 'memory' : 'database'] += 1;
    return json;
  }

  async #find(
    organizationId: string,
    query: SearchQuery & PageRequest,
    { showsKeys }: { readonly showsKeys: boolean },
  ): Promise<string | undefined> {
    const loaded = this.#ready(organizationId);
    if (!loaded) return undefined;
    // A reload in progress may have read a Device before its last change; the next one has not.
    for (let round = 0; round < 2 && isBehind(loaded); round += 1) {
      await this.#reload(organizationId, loaded);
    }
    if (this.#organizations.get(organizationId) !== loaded) return undefined;
    const { index } = loaded;
    const page = index.find({ ...query, search: fold(query.search) }, query);
    if (showsKeys && index.hasKeys(page)) return undefined;
    return index.json(page, this.#deps.presence.of);
  }

  /** Called after the commit of each change of a Device, its creation and deletion included. */
  invalidate(organizationId: string, deviceId: string): void {
    const loaded = this.#organizations.get(organizationId);
    if (!loaded) return;
    loaded.changed.add(deviceId);
    if (loaded.changed.size > this.#limits.maxChanges) this.#organizations.delete(organizationId);
  }

  /** Called after the commit that deleted what Devices may refer to. */
  referenceDeleted(organizationId: string, id: string): void {
    const loaded = this.#organizations.get(organizationId);
    // An index that is being loaded does not have all references yet.
    if (loaded && (!loaded.isReady || loaded.index.isReferredTo(id))) {
      this.#organizations.delete(organizationId);
    }
  }

  /** Drops everything: changes may have been missed. */
  clear(): void {
    this.#organizations.clear();
  }

  evictIdle(): void {
    const oldest = this.#deps.clock.now() - MAX_IDLE_MS;
    for (const [organizationId, { lastUsedAt }] of this.#organizations) {
      if (lastUsedAt < oldest) this.#organizations.delete(organizationId);
    }
  }

  #ready(organizationId: string): Loaded | undefined {
    if (!this.#deps.isAlone()) {
      this.clear();
      return undefined;
    }
    const loaded = this.#organizations.get(organizationId);
    if (!loaded) this.#load(organizationId);
    if (!loaded?.isReady) return undefined;
    loaded.lastUsedAt = this.#deps.clock.now();
    return loaded;
  }

  /** One organization at a time: the others are loaded by a later search. */
  #load(organizationId: string): void {
    const now = this.#deps.clock.now();
    if (this.#isStopped || this.#loading || now < (this.#refused.get(organizationId) ?? 0)) return;
    const loaded = newlyLoaded(now);
    this.#organizations.set(organizationId, loaded);
    this.#loading = this.#read(organizationId, loaded)
      .catch((error: unknown) => {
        this.#drop(organizationId, loaded);
        this.#deps.log.debug({ err: error }, 'Devices could not be read for searches');
      })
      .finally(() => {
        this.#loading = undefined;
      });
  }

  async #read(organizationId: string, loaded: Loaded): Promise<void> {
    const { storage } = this.#deps;
    const yielder = new Yielder(() => LOAD_URGENCY);
    const { index } = loaded;
    for (let last: SearchedRow | undefined; ; ) {
      const rows = await listSearched(storage.background, organizationId, last, LOAD_BATCH_SIZE);
      if (this.#organizations.get(organizationId) !== loaded) return;
      for (const row of rows) index.append(row);
      if (!this.#fits(organizationId, loaded)) return;
      last = rows.at(-1);
      if (rows.length < LOAD_BATCH_SIZE) break;
      await yielder.pause();
    }
    await yielder.run(index.indexNames());
    loaded.isReady = true;
  }

  /** Makes room by dropping the indexes that were not used for longest; false when that does not suffice. */
  #fits(organizationId: string, loaded: Loaded): boolean {
    if (loaded.index.bytes > this.#limits.maxBytes) {
      this.#refused.set(organizationId, this.#deps.clock.now() + REFUSAL_MS);
      this.#drop(organizationId, loaded);
      return false;
    }
    const others = [...this.#organizations].filter(([, each]) => each !== loaded);
    others.sort(([, one], [, other]) => other.lastUsedAt - one.lastUsedAt);
    let bytes = loaded.index.bytes;
    for (const [id, { index }] of others) {
      bytes += index.bytes;
      if (bytes > this.#limits.maxBytes) this.#organizations.delete(id);
    }
    return true;
  }

  #drop(organizationId: string, loaded: Loaded): void {
    if (this.#organizations.get(organizationId) === loaded) {
      this.#organizations.delete(organizationId);
    }
  }

  #reload(organizationId: string, loaded: Loaded): Promise<void> {
    loaded.reloading ??= this.#readChanged(organizationId, loaded).finally(() => {
      loaded.reloading = undefined;
    });
    return loaded.reloading;
  }

  async #readChanged(organizationId: string, loaded: Loaded): Promise<void> {
    const ids = loaded.changed;
    loaded.changed = new Set();
    const rows = await findSearched(this.#deps.storage, organizationId, [...ids]).catch(
      (error: unknown) => {
        this.#drop(organizationId, loaded);
        throw error;
      },
    );
    const { index } = loaded;
    for (const row of rows) {
      index.put(row);
      ids.delete(row.id);
    }
    for (const deletedId of ids) {
      index.remove(deletedId);
      // The database has changed the Devices that referred to it.
      if (index.isReferredTo(deletedId)) this.#drop(organizationId, loaded);
    }
    loaded.changeCount += rows.length;
    if (loaded.changeCount > this.#limits.maxChanges) this.#drop(organizationId, loaded);
  }
}

function isBehind({ changed, reloading }: Loaded): boolean {
  return changed.size > 0 || reloading !== undefined;
}

function newlyLoaded(now: number): Loaded {
  return {
    index: new OrganizationIndex(),
    isReady: false,
    lastUsedAt: now,
    changed: new Set(),
    changeCount: 0,
    reloading: undefined,
  };
}
