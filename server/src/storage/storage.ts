/**
 * Rows of one statement. Parameters are `$1`, `$2`, …; never built into the text.
 *
 * Times: pass `isoDateTime(epochMs)` for a `timestamptz`, which is exact to the millisecond; a
 * `timestamptz` comes back as epoch milliseconds (number). `int8` comes back as a number and fails
 * beyond the safe range; `numeric`, `date` and `timestamp` come back as text.
 *
 * Every query and transaction rejects with the failure `STORAGE_UNAVAILABLE` while storage does not
 * answer, and works again as soon as it does.
 */
export interface Queries {
  query<Row extends object>(
    sql: string,
    params?: readonly unknown[],
    options?: QueryOptions,
  ): Promise<Row[]>;
}

export interface QueryOptions {
  /**
   * PostgreSQL parses and plans the statement once per connection. For statements whose planning
   * costs as much as their execution, and whose plan is the same for all parameters. Ignored within
   * a transaction.
   */
  readonly isPrepared?: boolean;
}

/** A lane whose connections also take queries in a given order. */
export interface OrderedQueries extends Queries {
  /**
   * Runs the queries of `work` on one connection in the order in which they are given, each with a
   * snapshot of its own. They are sent without waiting for each other's results. `work` must not wait
   * for anything else.
   */
  inOrder<T>(work: (queries: Queries) => Promise<T>): Promise<T>;
}

/** One statement, with its values. */
export interface Statement {
  readonly sql: string;
  readonly params: readonly unknown[];
}

/**
 * One open transaction. It ends with the function that was given it. Statements run in the order in
 * which they are given; one need not wait for the answer to another. When one fails, so do those
 * behind it.
 */
export interface Transaction extends Queries {
  readonly inTransaction: true;
  /**
   * Runs once the transaction has committed and its connection is free, and is awaited before the
   * caller of `transaction` goes on. Not run on rollback.
   */
  afterCommit(work: () => unknown): void;
}

export interface Transactions extends Queries {
  /**
   * Commits when `work` resolves, rolls back when it rejects. A transaction that PostgreSQL chose
   * as the victim of a deadlock or serialization failure is run again from the start, a few times.
   * When the connection is lost during the commit the outcome is unknown: `STORAGE_UNAVAILABLE`.
   */
  transaction<T>(work: (tx: Transaction) => Promise<T>): Promise<T>;
  /**
   * The same for statements whose results are not needed: they are sent together with the COMMIT.
   * Nothing is committed when one fails, or when the iterable throws. The iterable is created again
   * when the transaction is run again.
   */
  atomically(statements: () => Iterable<Statement>): Promise<void>;
}

/** An advisory lock of PostgreSQL: a number within a space of numbers. Both are 32-bit integers. */
export interface LockKey {
  readonly space: number;
  readonly number: number;
}

/**
 * Advisory locks that PostgreSQL releases when their session ends: by `end`, with the process, or
 * when the connection is lost.
 */
export interface SessionLocks {
  /** Takes a lock without waiting. False when another session holds it. */
  tryLock(key: LockKey): Promise<boolean>;
  unlock(key: LockKey): Promise<void>;
  end(): Promise<void>;
}

/** Rejects with the failure `STORAGE_UNAVAILABLE` while storage takes no writes. */
export type WriteProbe = () => Promise<void>;

/**
 * The storage door. Connections are divided into lanes, so that no kind of work can take those of
 * another: the door itself is the lane of requests. A wait for a connection is bounded in length
 * and in number: `STORAGE_UNAVAILABLE` after some seconds, `OVERLOADED` when too many wait.
 */
export interface Storage extends Transactions, OrderedQueries {
  /** A part of the request lane for callers without credentials: the rest is never theirs. */
  readonly anonymous: Transactions;
  /** Readings on their way in: committing, alarm judging, the device cache, Device sign-in. */
  readonly ingest: Transactions;
  /** Background work, at low priority: no request waits for it. */
  readonly background: Transactions;
  /** The lease of this node: its renewal must wait for nothing else. */
  readonly nodes: Transactions;
  readonly check: WriteProbe;
  /** A probe that includes statements of its caller; these must leave nothing behind. */
  createWriteProbe(also: () => readonly Statement[]): WriteProbe;
  /** Opens a session for advisory locks; `onLost` is called when PostgreSQL may have released them. */
  openSessionLocks(onLost: () => void): Promise<SessionLocks>;
  stop(): Promise<void>;
}
