import pg from 'pg';
import { Failure } from '../runtime/index.ts';

const RETRY_AFTER_SECONDS = 2;

/** Connection exceptions, too few resources, and the shutdowns and start-ups of the server. */
const UNAVAILABLE_STATES = /^(08|53|57P0[1235])/;
const RERUN_STATES: readonly string[] = ['40001', '40P01'];

/** The driver gives these no code. */
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

export function storageUnavailable(cause: unknown): Failure {
  return new Failure('STORAGE_UNAVAILABLE', 'Storage does not answer at the moment.', {
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

/** PostgreSQL gave this transaction up so that another could go on; running it again may work. */
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
