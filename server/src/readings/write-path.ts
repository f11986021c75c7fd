import type { Fence, Ownership } from '../nodes/index.ts';
import {
  type Clock,
  endsWithin,
  every,
  type Log,
  type Periodic,
  shuttingDown,
  temporarilyUnavailable,
} from '../runtime/index.ts';
import type { Storage } from '../storage/index.ts';
import { type AdoptionDeps, flushOrphans } from './adoption.ts';
import type { ChunkChanges } from './chunks/index.ts';
import { type CommitOptions, FencedStorage } from './fenced-storage.ts';
import { carriedOverRange, flush, IDS_PER_COMMIT } from './flush.ts';
import {
  countQuarantined,
  JournalOwnership,
  journalBatch,
  plainBytes,
  type RowForm,
  replayJournals,
} from './journal/index.ts';
import { memtableLimit, type ReadingsLimits } from './limits.ts';
import { BlockPool, Memtable } from './memtable/index.ts';
import type { Reading } from './reading.ts';
import type { ExpiryOf } from './retention.ts';

/*
 * The write path: commit, memtable, flush, replay.
 *
 * Invariants
 *   A. A commit resolves after its journal row is durable and its readings are in the memtable.
 *   B. Readings enter memtables in the order of their journal ids, so that of two readings of one
 *      time the one with the higher id wins, in memory as in a replay.
 *   C. `journal` of a memtable covers exactly the rows whose readings are in it or in older
 *      memtables. A flush deletes those rows only.
 *   D. Memory holds readings of the partitions of this node alone (nodes/membership.ts, F).
 *   E. Rows are written under a number whose lock this server holds (journal/ownership.ts), and no id
 *      is used twice.
 *
 * Ids are assigned, and commits chained, without an await in between: `#lastCommit` is the commit
 * with the id before. The active memtable is replaced without an await, too.
 *
 * Interleavings that this survives
 *   - Row n + 1 is stored before row n: its commit awaits the one of row n before it adds (B).
 *   - Row n is refused: its commit rejects and adds nothing; later ones are not affected. Where the
 *     connection broke, the row may be stored all the same: a batch that was not acknowledged may be
 *     found after a restart, or be deleted by the next flush.
 *   - A flush begins while rows are being stored: these have higher ids than the memtable that is
 *     flushed, and are added to the new one. The flush does not delete them (C).
 *   - A flush fails, or its outcome is unknown: the memtable stays readable and is flushed again. If
 *     the first attempt was committed, chunks are stored twice with equal readings, and so are rows
 *     that were carried over, until the next flush deletes both.
 *   - The lock of the journal is lost: commits and flushes are refused until this server holds its
 *     number again, or a new one. Readings that another server replayed meanwhile are stored twice.
 *   - A query runs during a flush: it reads memory first and lists chunks then, so that it finds the
 *     readings in at least one of them. Equal readings of both are merged.
 *   - A Variable is deleted during a flush: its chunks are skipped, since the flush locks the rows of
 *     Variables that exist.
 *   - Stop during commits: later ones are refused, those with an id are awaited, then all is flushed.
 *   - A kill anywhere: README.md has the matrix.
 */

export interface WritePathDeps extends Pick<AdoptionDeps, 'onAdopted'> {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly fence: Fence;
  readonly ownership: Pick<Ownership, 'isSoleOwner'>;
  /** Of the rows that are written now. */
  readonly rowForm: () => RowForm;
  readonly limits: ReadingsLimits;
  readonly changes: ChunkChanges;
  readonly expiryOf: ExpiryOf;
}

/** From this fullness of the active memtable on, a flush makes no pauses. */
const URGENT_FULLNESS = 0.5;

/** Writes readings to the journal and the memtable, and flushes the memtable when that is due. */
export class WritePath {
  readonly #deps: WritePathDeps;
  readonly #blockPool = new BlockPool();
  #active: Memtable;
  /** The memtable that is being flushed; queries still read it. */
  #flushing: Memtable | undefined;
  #flush: Promise<void> | undefined;
  readonly #journals: JournalOwnership;
  readonly #fenced: FencedStorage;
  #lastId = 0;
  /** The commit with the highest id; the next one adds its readings after it. */
  #lastCommit: Promise<void> = Promise.resolve();
  /** Undefined until the journal is replayed. */
  #checks: Periodic | undefined;
  #isStopped = false;
  quarantinedRows = 0;

  constructor(deps: WritePathDeps) {
    this.#deps = deps;
    this.#active = new Memtable(deps.clock.now(), this.#blockPool);
    this.#fenced = new FencedStorage(deps);
    this.#journals = new JournalOwnership({
      ...deps,
      requireEpoch: () => this.#fenced.ingest.transaction(async () => undefined),
      commitsFinished: () => this.#lastCommit,
    });
  }

  async commit(readings: readonly Reading[], { alongside }: CommitOptions = {}): Promise<void> {
    if (readings.length === 0) {
      if (alongside) await this.#fenced.ingest.atomically(alongside);
      return;
    }
    const row = journalBatch(readings);
    await this.#awaitSpace();
    if (this.#isStopped) throw shuttingDown();
    const writer = this.writer();
    this.#lastId += IDS_PER_COMMIT;
    const position = { writer, id: this.#lastId };
    const previous = this.#lastCommit;
    const data = row.finish(this.#deps.rowForm());
    const done = (async () => {
      try {
        await this.#fenced.write(position, data, alongside);
      } finally {
        await previous;
      }
      this.#active.add(row.columns);
      this.#active.journal.addUpTo(position);
      this.#active.journalEnd = position.id;
      this.#active.journalBytes += plainBytes(row.columns);
    })();
    this.#lastCommit = done.catch(() => undefined);
    await done;
    if (this.#isFull()) this.#flushInBackground();
  }

  /** The number to write under. */
  writer(): number {
    const { writer } = this.#journals;
    if (writer === undefined) throw this.#journals.unavailability;
    return writer;
  }

  #isFull(): boolean {
    return this.#fullness() >= 1;
  }

  /** How much of its limit the active memtable has reached. */
  #fullness(): number {
    const { bytes, journalBytes, seriesCount } = this.#active;
    return Math.max(bytes, journalBytes) / memtableLimit(this.#deps.limits, seriesCount);
  }

  /** The urgency of a flush: start, stop and waiting commits need it at once. */
  #urgency(memtable: Memtable): number {
    if (this.#checks === undefined || this.#isStopped || memtable.isShortLived) return 1;
    return this.#fullness() / URGENT_FULLNESS;
  }

  /** Back-pressure: waits while the active memtable is full and another one is being flushed. */
  async #awaitSpace(): Promise<void> {
    const { clock, limits } = this.#deps;
    const deadline = clock.now() + limits.maxSpaceWaitMs;
    while (this.#isFull()) {
      // A flush that begins now frees space at once, one in progress when it ends.
      this.#flushInBackground();
      if (!this.#isFull()) return;
      const isFlushed = await endsWithin(deadline - clock.now(), this.flush());
      if (!isFlushed) throw temporarilyUnavailable('Storage does not keep up at the moment.');
    }
  }

  /** Flushes the memtable. Concurrent calls share one flush. */
  flush(): Promise<void> {
    return this.#flush ?? this.#beginFlush([]);
  }

  /** Flushes all readings of partitions that another node owns next; none is being committed. */
  async drain(partitions: readonly number[]): Promise<void> {
    await this.#lastCommit;
    while (this.#flush || this.#flushing) await this.flush();
    await this.#beginFlush(partitions);
  }

  #beginFlush(leaving: readonly number[]): Promise<void> {
    this.#flush = this.#flushOnce(leaving).finally(() => {
      this.#flush = undefined;
    });
    return this.#flush;
  }

  async #flushOnce(leaving: readonly number[]): Promise<void> {
    const { clock, limits, rowForm, changes, expiryOf } = this.#deps;
    if (!this.#flushing && !this.#isDue(leaving)) return;
    const writer = this.writer();
    if (!this.#flushing) {
      this.#flushing = this.#active;
      this.#flushing.close(clock.now());
      this.#active = new Memtable(clock.now(), this.#blockPool);
      this.#active.journalEnd = this.#flushing.journalEnd;
    }
    const memtable = this.#flushing;
    // The next flush deletes the rows that this one carries over.
    this.#active.journal.addUpTo({ writer, id: carriedOverRange(writer, memtable.journalEnd).to });
    const urgency = () => this.#urgency(memtable);
    const rows = { form: rowForm(), blockPool: this.#blockPool, expiryOf };
    const job = { memtable, writer, ...rows, urgency, leaving };
    const from = urgency() >= 1 ? this.#fenced.ingest : this.#fenced.background;
    this.#active.carryOver(await flush(changes.tracking(from), job, limits));
    this.#flushing = undefined;
    memtable.release();
    await this.#releaseJournals(memtable);
  }

  /** Carried-over readings alone are flushed only when some of them leave. */
  #isDue(leaving: readonly number[]): boolean {
    return leaving.length === 0 ? this.#active.hasArrivals : !this.#active.isEmpty;
  }

  /** Gives up journals of which the memtable had the last rows. */
  async #releaseJournals({ journal }: Memtable): Promise<void> {
    if (this.#checks === undefined) return;
    const isFlushed = (writer: number) => !this.#active.journal.has(writer);
    await this.#journals.release([...journal.writers()].filter(isFlushed));
  }

  #flushInBackground(): void {
    this.flush().catch((error: unknown) => this.#flushFailed(error));
  }

  #flushFailed(error: unknown): void {
    this.#deps.log.warn({ err: error }, 'flush failed; it is tried again');
  }

  async #flushIfDue(): Promise<void> {
    const { clock, limits } = this.#deps;
    const isOld = clock.now() - this.#active.startedAt >= limits.flushAfterMs;
    if (this.#flushing || this.#isFull() || (isOld && this.#active.hasArrivals)) await this.flush();
  }

  /** Starts the periodic work, once nothing is left in orphaned journals. */
  async start(): Promise<void> {
    const { storage, limits, ownership } = this.#deps;
    await this.#journals.claim();
    await (ownership.isSoleOwner ? this.#replay() : this.adopt());
    this.quarantinedRows = await countQuarantined(storage.ingest);
    this.#checks = every(
      limits.checkEveryMs,
      () => this.#flushIfDue(),
      (error) => this.#flushFailed(error),
    );
    this.#checks.start();
  }

  /** Replays orphaned journals into the memtable. A row that cannot be decoded is quarantined. */
  async #replay(): Promise<void> {
    const writers = await this.#journals.adopt();
    for await (const { position, columns, bytes } of replayJournals(this.#deps, writers)) {
      this.#active.add(columns);
      this.#active.journal.add(position);
      this.#active.journalBytes += bytes;
      if (!this.#isFull()) continue;
      await this.flush();
      this.#lastId += IDS_PER_COMMIT;
      this.#active.journalEnd = this.#lastId;
    }
  }

  /**
   * Flushes journals without a living writer into chunks, whichever node will read them. False when
   * another node is doing it.
   */
  async adopt(): Promise<boolean> {
    const own = { ownership: this.#journals, blockPool: this.#blockPool, writer: this.writer() };
    const lane = this.#deps.changes.tracking(this.#fenced.ingest);
    return await flushOrphans({ ...this.#deps, ...own, lane });
  }

  /** Awaits commits in flight and flushes. If the flush fails, the readings stay in the journal. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    await this.#checks?.stop();
    await this.#lastCommit;
    try {
      await this.#flush;
      await this.flush();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'readings stay in the journal until the next start');
    }
    await this.#journals.stop();
  }

  /** The memtables that queries read, the older one first. */
  get memtables(): readonly Memtable[] {
    return this.#flushing ? [this.#flushing, this.#active] : [this.#active];
  }
}
