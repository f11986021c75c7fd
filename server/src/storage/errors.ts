import pg from 'pg';
import { Failure } from '../runtime/index.ts';

const RETRY_AFTER_SECONDS = 2;

/**
 * States that pass without a change of the statement: connection exceptions (08), too few
 * resources and a full disk (53), a lock not available (55P03), a cancelled statement or one over
 * its time limit (57014), shutdowns, start-ups and a dropped database (57P), I/O errors (58), a
 * read-only transaction (25006), a transaction over its time limit (25P03, 25P04), and a deadlock
 * or serialization failure that remained after reruns (40001, 40P01).
 */
const UNAVAILABLE_STATES = /^(08|53|58|55P03|57014|57P|25006|25P0[34]|40001|40P01)/;
/** After these the connection itself is sound. */
const SOUND_CONNECTION_STATES = /^(53[124]|58|55P03|57014|40)/;
const RERUN_STATES: readonly string[] = ['40001', '40P01'];

/** Errors of the driver that have no code. */
const UNAVAILABLE_MESSAGES: readonly string[] = [
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Query read timeout',
];

export function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return UNAVAILABLE_STATES.test(error.code ?? '');
  if (!(error instanceof Error)) return false;
  return 'syscall' in error || UNAVAILABLE_MESSAGES.includes(error.message);
}

/**
 * Whether the connection must not be used again. One that answers 25006 may lead to a former
 * primary; a new one finds the present primary.
 */
export function breaksConnection(error: unknown): boolean {
  if (!isUnavailable(error)) return false;
  return !(error instanceof pg.DatabaseError && SOUND_CONNECTION_STATES.test(error.code ?? ''));
}

export function storageUnavailable(cause: unknown): Failure {
  return new Failure('STORAGE_UNAVAILABLE', 'Storage is unavailable at the moment.', {
    retryAfterSeconds: RETRY_AFTER_SECONDS,
    cause,
  });
}

/** The failure `STORAGE_UNAVAILABLE` for whatever means that; everything else as the driver gave it. */
export function translated(error: unknown): unknown {
  if (isUnavailable(error)) return storageUnavailable(error);
  if (error instanceof pg.DatabaseError) {
    // These two quote values of the row, which must not reach a log.
    error.detail = undefined;
    error.where = undefined;
  }
  return error;
}

/** PostgreSQL aborted this transaction in favour of another; running it again may succeed. */
export function mayRunAgain(error: unknown): boolean {
  return error instanceof pg.DatabaseError && RERUN_STATES.includes(error.code ?? '');
}

/** What `require_rows` of the database raises. */
const CHANGED_STATE = 'FW001';

/** Whether a statement failed because not all it was to change is as it was when it was read. */
export function isChanged(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === CHANGED_STATE;
}

/** Whether a statement failed because it would have broken the named constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError &&
    (error.code ?? '').startsWith('23') &&
    error.constraint === constraint
  );
}
