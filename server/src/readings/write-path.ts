import { type Clock, Failure, type Log } from '../runtime/index.ts';
import type { Statement, Storage } from '../storage/index.ts';
import { type Columns, type Kind, merged } from './columns/index.ts';
import { seal } from './flush.ts';
import {
  countQuarantined,
  DamagedJournal,
  decodeJournalRow,
  type JournalColumns,
  type JournalPlace,
  journalBatch,
  journalStatement,
  listJournalRows,
  nextWriter,
  quarantineJournalRow,
} from './journal/index.ts';
import { type ReadingsLimits, tailLid } from './limits.ts';
import { Generation, SpareBlocks } from './memtable/index.ts';
import type { Reading, TimedValue } from './reading.ts';

export interface IntakeDeps {
  readonly storage: Storage;
  readonly clock: Clock;
  readonly log: Log;
  readonly limits: ReadingsLimits;
}

export interface CommitOptions {
  /** Statements in the transaction of the readings, behind them: both are kept, or neither. */
  readonly alongside?: () => Iterable<Statement>;
}

const ROWS_A_PAGE = 32;
/** A sealing rests less the fuller memory gets, and no more from here on. */
const SEALED_BY = 0.5;

/** Takes readings into the journal and into memory, and seals what is in memory when it is due. */
export class Intake {
  readonly #deps: IntakeDeps;
  readonly #spare = new SpareBlocks();
  #current: Generation;
  /** Being turned into chunks; readers still need it. */
  #sealing: Generation | undefined;
  #underWay: Promise<void> | undefined;
  #writer = 0;
  #lastId = 0;
  /** Batches count in the order of their rows, also when a later one is stored first. */
  #turn: Promise<void> = Promise.resolve();
  #timer: NodeJS.Timeout | undefined;
  #isStopped = false;
  quarantinedRows = 0;

  constructor(deps: IntakeDeps) {
    this.#deps = deps;
    this.#current = new Generation(deps.clock.now(), this.#spare);
  }

  async commit(readings: readonly Reading[], { alongside }: CommitOptions = {}): Promise<void> {
    if (readings.length === 0) {
      if (alongside) await this.#deps.storage.ingest.atomically(alongside);
      return;
    }
    const row = journalBatch(readings);
    await this.#room();
    if (this.#isStopped) throw new Failure('STORAGE_UNAVAILABLE', 'The server is stopping.');
    this.#lastId += 1;
    const id = this.#lastId;
    const before = this.#turn;
    const data = row.finish();
    const done = (async () => {
      try {
        await this.#write({ writer: this.#writer, id }, data, alongside);
      } finally {
        await before;
      }
      this.#current.add(row.columns);
      this.#noteJournal({ writer: this.#writer, id }, data.length);
    })();
    this.#turn = done.catch(() => undefined);
    await done;
    if (this.#isFull()) this.#sealInBackground();
  }

  async #write(
    place: JournalPlace,
    data: Buffer,
    alongside: CommitOptions['alongside'],
  ): Promise<void> {
    const { ingest } = this.#deps.storage;
    const journal = journalStatement(place, data);
    if (!alongside) {
      await ingest.query(journal.sql, journal.params);
      return;
    }
    await ingest.atomically(function* () {
      yield journal;
      yield* alongside();
    });
  }

  #noteJournal({ writer, id }: JournalPlace, bytes: number): void {
    this.#current.marks.set(writer, id);
    this.#current.journalBytes += bytes;
  }

  #isFull(): boolean {
    return this.#fullness() >= 1;
  }

  /** Of what may be in memory beside a generation that is sealed. */
  #fullness(): number {
    const { bytes, journalBytes, variables } = this.#current;
    return Math.max(bytes, journalBytes) / tailLid(this.#deps.limits, variables);
  }

  /** Of a sealing: somebody waits for it at a start and a stop, and when memory is full. */
  #urgency(generation: Generation): number {
    if (this.#timer === undefined || this.#isStopped || generation.isQuick) return 1;
    return this.#fullness() / SEALED_BY;
  }

  /** Waits while memory is full and the sealing that makes room goes on. */
  async #room(): Promise<void> {
    const { clock, limits } = this.#deps;
    const deadline = clock.now() + limits.roomWaitMs;
    while (this.#isFull()) {
      // One that begins now makes room at once; one that is under way does at its end.
      this.#sealInBackground();
      if (!this.#isFull()) return;
      const isSealed = await within(this.seal(), deadline - clock.now());
      if (!isSealed) {
        throw new Failure('STORAGE_UNAVAILABLE', 'Storage does not keep up at the moment.', {
          retryAfterSeconds: 2,
        });
      }
    }
  }

  /** Seals all that has come. One sealing at a time: who asks meanwhile waits for that one. */
  seal(): Promise<void> {
    this.#underWay ??= this.#sealOnce().finally(() => {
      this.#underWay = undefined;
    });
    return this.#underWay;
  }

  async #sealOnce(): Promise<void> {
    const { storage, clock, limits } = this.#deps;
    if (!this.#sealing) {
      if (this.#current.isEmpty) return;
      this.#sealing = this.#current;
      this.#sealing.end(clock.now());
      this.#current = new Generation(clock.now(), this.#spare);
      this.#current.marks.set(this.#writer, this.#sealing.marks.get(this.#writer) ?? 0);
    }
    const generation = this.#sealing;
    const urgency = () => this.#urgency(generation);
    const sealing = { generation, writer: this.#writer, spare: this.#spare, urgency };
    const from = urgency() >= 1 ? storage.ingest : storage.background;
    this.#current.carry(await seal(from, sealing, limits));
    this.#sealing = undefined;
    generation.release();
  }

  #sealInBackground(): void {
    this.seal().catch((error: unknown) => {
      this.#deps.log.warn({ err: error }, 'readings could not be sealed; this is tried again');
    });
  }

  #tick(): void {
    const { clock, limits } = this.#deps;
    const isOld = clock.now() - this.#current.startedAt >= limits.sealAfterMs;
    if (this.#sealing || this.#isFull() || (isOld && !this.#current.isEmpty)) {
      this.#sealInBackground();
    }
  }

  /** Reads the journal back into memory. A row that cannot be decoded is set aside and named. */
  async start(): Promise<void> {
    const { limits } = this.#deps;
    const storage = this.#deps.storage.ingest;
    this.#writer = await nextWriter(storage);
    let last: JournalPlace = { writer: 0, id: 0 };
    for (;;) {
      const page = await listJournalRows(storage, last, ROWS_A_PAGE);
      for (const { writer, id, data } of page) {
        last = { writer, id };
        const columns = await this.#decoded(last, data);
        if (!columns) continue;
        this.#current.add(columns);
        this.#noteJournal(last, data.length);
        if (this.#isFull()) await this.seal();
      }
      if (page.length < ROWS_A_PAGE) break;
    }
    this.quarantinedRows = await countQuarantined(storage);
    this.#timer = setInterval(() => this.#tick(), limits.tickMs).unref();
  }

  async #decoded(place: JournalPlace, data: Buffer): Promise<JournalColumns | undefined> {
    const { storage, clock, log } = this.#deps;
    try {
      return decodeJournalRow(place, data);
    } catch (error) {
      if (!(error instanceof DamagedJournal)) throw error;
      const quarantined = { ...place, bytes: data.length };
      log.error(quarantined, `${error.message} It is in the table journal_quarantine now.`);
      await quarantineJournalRow(storage, place, error.reason, clock.now());
      return undefined;
    }
  }

  /** Finishes what was taken and seals it. What cannot be sealed is in the journal. */
  async stop(): Promise<void> {
    this.#isStopped = true;
    clearInterval(this.#timer);
    await this.#turn;
    try {
      await this.#underWay;
      await this.seal();
    } catch (error) {
      this.#deps.log.warn({ err: error }, 'readings stay in the journal until the next start');
    }
  }

  forget(seriesId: number): void {
    this.#sealing?.forget(seriesId);
    this.#current.forget(seriesId);
  }

  /** What is in memory of a Variable's history. */
  tail(seriesId: number, kind: Kind): Columns | undefined {
    const older = this.#sealing?.tail(seriesId);
    const newer = this.#current.tail(seriesId);
    return older && newer ? merged(kind, [older, newer]) : (newer ?? older);
  }

  /** The newest value in memory; an older sealed one may be newer. */
  latest(seriesId: number): TimedValue | undefined {
    const older = this.#sealing?.latest(seriesId);
    const newer = this.#current.latest(seriesId);
    return older && newer ? (newer.at >= older.at ? newer : older) : (newer ?? older);
  }

  /** The newest times in memory that are at or after a time. */
  *latestFrom(from: number): Generator<{ readonly seriesId: number; readonly at: number }> {
    for (const generation of [this.#sealing, this.#current]) {
      for (const seriesId of generation?.seriesIds() ?? []) {
        const at = generation?.latest(seriesId)?.at;
        if (at !== undefined && at >= from) yield { seriesId, at };
      }
    }
  }
}

/** Whether the work was done within the time. It goes on in any case. */
async function within(work: Promise<void>, limitMs: number): Promise<boolean> {
  let timer: NodeJS.Timeout | undefined;
  const late = new Promise<boolean>((resolve) => {
    timer = setTimeout(() => resolve(false), Math.max(0, limitMs));
  });
  try {
    return await Promise.race([work.then(() => true), late]);
  } finally {
    clearTimeout(timer);
  }
}
