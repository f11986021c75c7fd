import { setTimeout as sleep } from 'node:timers/promises';
import { every, type Log, type Periodic } from '../../../runtime/index.ts';
import type { OrderedQueries } from '../../../storage/index.ts';
import { type AlarmChange, readChanges, readNewestNumbers } from './changes.ts';
import { listOrganizationsWithChanges, type NewestNumbers } from './store.ts';

/*
 * Every node announces the changes of an organization in the order of their numbers, each once, and
 * none beyond the horizon of the log (`log-order`): a change with a lower number may still be
 * committed. A change that is held back is read again until the transaction before it has ended,
 * since nothing reports a rollback.
 */

export interface AlarmFeedDeps {
  readonly storage: OrderedQueries;
  readonly log: Log;
  readonly isFollowed: (organizationId: string) => boolean;
  readonly announce: (organizationId: string, change: AlarmChange) => void;
  /** Whether other nodes are alive. Their changes are looked for regularly. */
  readonly hasPeers: () => boolean;
  /** Called with the organizations whose changes this node has committed. */
  readonly onNoted: (organizationIds: readonly string[]) => void;
}

/** Changes of alarm events, for subscribers and for clients that resume a stream. */
export interface AlarmFeed {
  newestId(organizationId: string): Promise<string>;
  /** The changes after the id, oldest first; null when the id was never issued. */
  after(organizationId: string, id: string, limit: number): Promise<readonly AlarmChange[] | null>;
  /** This node has committed changes of the organizations. */
  note(organizationIds: readonly string[]): void;
  /** Announces new changes of the organizations, whichever node has committed them. */
  look(organizationIds: readonly string[]): void;
  start(): void;
  /** Resolves when announcements in progress have ended. */
  stop(): Promise<void>;
}

/** The announcements of one organization that are in progress. */
interface Work {
  /** Something happened that may not have been read yet. */
  isNoted: boolean;
  done: Promise<void>;
}

const CHANGE_BATCH_SIZE = 500;
const RETRY_MS = 1_000;
/** Subscribers get the changes of other nodes within a second. */
const POLL_MS = 500;
const MIN_HELD_BACK_MS = 10;
const MAX_HELD_BACK_MS = 200;
const NUMBER = /^\d{1,15}$/;

class Feed implements AlarmFeed {
  readonly #deps: AlarmFeedDeps;
  /** The number up to which changes are announced, for each organization that has subscribers. */
  readonly #positions = new Map<string, number>();
  readonly #stopping = new AbortController();
  readonly #inProgress = new Map<string, Work>();
  readonly #polling: Periodic;
  #hadPeers = false;

  constructor(deps: AlarmFeedDeps) {
    this.#deps = deps;
    this.#polling = every(
      POLL_MS,
      () => this.#poll(),
      (error) => deps.log.debug({ err: error }, 'alarm events of other nodes could not be read'),
    );
  }

  readonly newestId = async (organizationId: string): Promise<string> =>
    String((await this.#begin(organizationId)).newestBelow);

  async after(organizationId: string, id: string, limit: number) {
    if (!NUMBER.test(id)) return null;
    const { newest } = await this.#begin(organizationId);
    if (Number(id) > newest) return null;
    const complete = this.#positions.get(organizationId) ?? 0;
    const start = { after: Number(id), complete };
    return (await readChanges(this.#deps.storage, organizationId, start, limit)).changes;
  }

  note(organizationIds: readonly string[]): void {
    this.look(organizationIds);
    this.#deps.onNoted(organizationIds);
  }

  look(organizationIds: readonly string[]): void {
    for (const organizationId of organizationIds) this.#look(organizationId);
  }

  readonly start = (): void => this.#polling.start();

  readonly stop = async (): Promise<void> => {
    this.#stopping.abort();
    await this.#polling.stop();
    await Promise.all([...this.#inProgress.values()].map(({ done }) => done));
  };

  /** From here on the changes of the organization are announced. */
  async #begin(organizationId: string): Promise<NewestNumbers> {
    const complete = this.#positions.get(organizationId) ?? 0;
    const numbers = await readNewestNumbers(this.#deps.storage, organizationId, complete);
    if (!this.#positions.has(organizationId)) {
      this.#positions.set(organizationId, numbers.newestBelow);
    }
    if (numbers.newest > numbers.newestBelow) this.#look(organizationId);
    return numbers;
  }

  /**
   * Reads once more after the last peer has gone: it may have committed changes until then. A read
   * that fails is repeated.
   */
  async #poll(): Promise<void> {
    const hasPeers = this.#deps.hasPeers();
    if (!hasPeers && !this.#hadPeers) return;
    this.#hadPeers = true;
    for (const organizationId of this.#positions.keys()) this.#isFollowed(organizationId);
    if (this.#positions.size > 0) {
      this.look(await listOrganizationsWithChanges(this.#deps.storage, this.#positions));
    }
    this.#hadPeers = hasPeers;
  }

  /** Without subscribers there is no position. */
  #isFollowed(organizationId: string): boolean {
    const isFollowed = this.#deps.isFollowed(organizationId);
    if (!isFollowed) this.#positions.delete(organizationId);
    return isFollowed;
  }

  #look(organizationId: string): void {
    if (!this.#isFollowed(organizationId)) return;
    const current = this.#inProgress.get(organizationId);
    if (current) {
      current.isNoted = true;
      return;
    }
    const work: Work = { isNoted: true, done: Promise.resolve() };
    this.#inProgress.set(organizationId, work);
    work.done = this.#announceUntilDone(organizationId, work);
  }

  /**
   * Until it works: subscribers would never learn that something was left out. Nothing is awaited
   * between the last look at `isNoted` and the end, so no note falls between them.
   */
  async #announceUntilDone(organizationId: string, work: Work): Promise<void> {
    const { log } = this.#deps;
    const { signal } = this.#stopping;
    let [failures, waitMs] = [0, 0];
    while (work.isNoted && !signal.aborted) {
      work.isNoted = false;
      try {
        const { isHeldBack, count } = await this.#announceNew(organizationId);
        failures = 0;
        if (!isHeldBack) continue;
        const isFirst = count > 0 || waitMs === 0;
        waitMs = isFirst ? MIN_HELD_BACK_MS : Math.min(2 * waitMs, MAX_HELD_BACK_MS);
      } catch (error) {
        failures += 1;
        if (failures === 1)
          log.warn({ err: error }, 'alarm events could not be announced; trying again');
        waitMs = RETRY_MS;
      }
      work.isNoted = true;
      await sleep(waitMs, undefined, { signal }).catch(() => undefined);
    }
    this.#inProgress.delete(organizationId);
  }

  async #announceNew(organizationId: string): Promise<{ isHeldBack: boolean; count: number }> {
    const { storage, announce } = this.#deps;
    for (let count = 0; ; ) {
      const position = this.#positions.get(organizationId);
      if (position === undefined || !this.#isFollowed(organizationId)) {
        return { isHeldBack: false, count };
      }
      const start = { after: position, complete: position };
      const page = await readChanges(storage, organizationId, start, CHANGE_BATCH_SIZE);
      // The last subscriber may have left meanwhile, and another one may have begun.
      if (this.#positions.get(organizationId) !== position) continue;
      for (const change of page.changes) announce(organizationId, change);
      this.#positions.set(organizationId, page.position);
      count += page.changes.length;
      if (page.changes.length < CHANGE_BATCH_SIZE) return { isHeldBack: page.isHeldBack, count };
    }
  }
}

export function createAlarmFeed(deps: AlarmFeedDeps): AlarmFeed {
  return new Feed(deps);
}
