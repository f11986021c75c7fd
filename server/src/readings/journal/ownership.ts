import { setTimeout as sleep } from 'node:timers/promises';
import { EpochEnded } from '../../nodes/index.ts';
import { type Failure, type Log, temporarilyUnavailable } from '../../runtime/index.ts';
import type { LockKey, SessionLocks, Storage } from '../../storage/index.ts';
import { listWriters, nextWriterId } from './store.ts';

/*
 * Who may write to a journal, and who may read it back.
 *
 * A journal belongs to one writer number, and a living writer holds a session lock on its number. A
 * starting server adopts journals whose lock is free: it takes the lock, reads the rows back and
 * keeps the lock until they are flushed. A server that loses its session writes nothing until it
 * holds its number again, or a new one where another server has adopted the journal meanwhile. It
 * takes none once its epoch has ended: whoever ended it ends its sessions then, and its journal can
 * be adopted from that moment on.
 *
 * One server at a time flushes the journals that it adopted. So one that finds none knows that the
 * readings of all of them are in the history.
 *
 * The lock decides who replays a journal. It is not what keeps readings from being lost: a server
 * that was halted may commit a row before it notices that its lock is gone. That row stays, because
 * a flush deletes exactly the rows that it read, and ids are never used again.
 */

/** The locks of journals: PostgreSQL keeps them apart from locks of other spaces. */
const JOURNAL_SPACE = 0x46_57_4a_4c;
/** The lock of the server that flushes adopted journals. */
const ADOPTION: LockKey = { space: 0x46_57_4a_41, number: 0 };
/** How long to wait for another server that does so: with nothing to flush that is soon over. */
const ADOPTION_LIMIT_MS = 1_000;
const ADOPTION_PAUSE_MS = 25;
const MIN_PAUSE_MS = 100;
/** Commits wait for the lock: storage that is available again must not wait for it for long. */
const MAX_PAUSE_MS = 500;

export interface OwnershipDeps {
  readonly storage: Storage;
  readonly log: Log;
  /** Rejects when the epoch of this node has ended. */
  readonly requireEpoch: () => Promise<void>;
  /** Resolves when no commit under the former number is in flight. */
  readonly commitsFinished: () => Promise<void>;
}

const keyOf = (writer: number): LockKey => ({ space: JOURNAL_SPACE, number: writer });

/** The writer number of this server, and the journals that it adopted. */
export class JournalOwnership {
  readonly #deps: OwnershipDeps;
  #locks: SessionLocks | undefined;
  #writer: number | undefined;
  readonly #adopted = new Set<number>();
  readonly #stopping = new AbortController();
  #epochEnded: EpochEnded | undefined;

  constructor(deps: OwnershipDeps) {
    this.#deps = deps;
  }

  /** The number to write under; undefined while its lock is not held. */
  get writer(): number | undefined {
    return this.#locks && this.#writer;
  }

  /** Why there is no number to write under: for now, or for good. */
  get unavailability(): Failure {
    return (
      this.#epochEnded ?? temporarilyUnavailable('The journal is not available at the moment.')
    );
  }

  /** Takes the lock of the number that this server had, or of a new one. */
  async claim(): Promise<void> {
    const { storage, requireEpoch, commitsFinished } = this.#deps;
    let isLost = false;
    const locks = await storage.openSessionLocks(() => {
      isLost = true;
      if (this.#locks === locks) this.#onLost();
    });
    try {
      await requireEpoch();
      for (const writer of this.#adopted) {
        if (!(await locks.tryLock(keyOf(writer)))) this.#adopted.delete(writer);
      }
      let writer = this.#writer;
      while (writer === undefined || !(await locks.tryLock(keyOf(writer)))) {
        writer = await nextWriterId(storage.ingest);
      }
      await commitsFinished();
      if (isLost) throw new Error('the session ended at once');
      this.#writer = writer;
      this.#locks = locks;
    } catch (error) {
      await locks.end();
      throw error;
    }
    if (this.#stopping.signal.aborted) await this.stop();
  }

  /** Adopts the journals that have rows and no living writer. Returns those that it had not yet. */
  async adopt(): Promise<readonly number[]> {
    const adopted: number[] = [];
    for (const writer of await listWriters(this.#deps.storage.ingest)) {
      if (writer === this.#writer || this.#adopted.has(writer)) continue;
      if (!(await this.#locks?.tryLock(keyOf(writer)))) continue;
      this.#adopted.add(writer);
      adopted.push(writer);
    }
    return adopted;
  }

  /** Has adopted journals flushed. False when another server does that, and nothing was done. */
  async flushAdopted(flush: (writers: readonly number[]) => Promise<void>): Promise<boolean> {
    const locks = this.#locks;
    if (!locks) throw this.unavailability;
    if (!(await isLocked(locks, ADOPTION))) return false;
    try {
      const writers = await this.adopt();
      try {
        await flush(writers);
      } finally {
        // What could not be flushed is adopted again.
        await this.release(writers);
      }
      return true;
    } finally {
      await locks.unlock(ADOPTION).catch(() => undefined);
    }
  }

  /** Gives up adopted journals, once their rows are flushed. */
  async release(writers: Iterable<number>): Promise<void> {
    for (const writer of writers) {
      // A lost session has released the lock already.
      if (this.#adopted.delete(writer)) await this.#locks?.unlock(keyOf(writer)).catch(() => {});
    }
  }

  async stop(): Promise<void> {
    this.#stopping.abort();
    const locks = this.#locks;
    this.#locks = undefined;
    await locks?.end();
  }

  #onLost(): void {
    this.#locks = undefined;
    this.#deps.log.warn(
      { writer: this.#writer },
      'the lock of the journal was lost; taking it again',
    );
    void this.#claimAgain();
  }

  async #claimAgain(): Promise<void> {
    const { signal } = this.#stopping;
    for (
      let pauseMs = MIN_PAUSE_MS;
      !signal.aborted;
      pauseMs = Math.min(2 * pauseMs, MAX_PAUSE_MS)
    ) {
      try {
        await this.claim();
        return;
      } catch (error) {
        if (error instanceof EpochEnded) {
          this.#epochEnded = error;
          return;
        }
        this.#deps.log.debug({ err: error }, 'the lock of the journal cannot be taken yet');
        await sleep(pauseMs, undefined, { signal, ref: false }).catch(() => undefined);
      }
    }
  }
}

/** Takes a lock that others have for a short time; false when that takes too long. */
async function isLocked(locks: SessionLocks, key: LockKey): Promise<boolean> {
  for (let waitedMs = 0; !(await locks.tryLock(key)); waitedMs += ADOPTION_PAUSE_MS) {
    if (waitedMs >= ADOPTION_LIMIT_MS) return false;
    await sleep(ADOPTION_PAUSE_MS);
  }
  return true;
}
