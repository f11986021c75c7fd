import pg from 'pg';
import { Failure } from '../runtime/index.ts';

const RETRY_AFTER_SECONDS = 2;

/** What a failed statement says about storage and about the connection that it ran on. */
type Verdict =
  /** Storage is unavailable, and the connection must not be used again. */
  | 'UNAVAILABLE_BROKEN'
  /** Storage is unavailable; the connection itself is sound. */
  | 'UNAVAILABLE'
  /** The statement fails every time. */
  | 'PERMANENT';

/**
 * What each SQLSTATE means, by its beginning; the longest one that fits decides. What is not listed
 * is permanent: a violated constraint (23), a wrong value (22), a missing table or privilege (42).
 */
const VERDICTS: Readonly<Record<string, Verdict>> = {
  /** Connection exceptions. */
  '08': 'UNAVAILABLE_BROKEN',
  /** A read-only transaction: a demoted primary. A new connection finds the present primary. */
  '25006': 'UNAVAILABLE_BROKEN',
  /** A transaction that was idle for too long, or over its time limit: its session was ended. */
  '25P03': 'UNAVAILABLE_BROKEN',
  '25P04': 'UNAVAILABLE_BROKEN',
  /** Credentials that are refused: they are changed at the database first. */
  '28': 'UNAVAILABLE_BROKEN',
  /** A database that does not exist, such as one that is being restored. */
  '3D000': 'UNAVAILABLE_BROKEN',
  /** A serialization failure or deadlock that remained after reruns, and an unknown completion. */
  '40001': 'UNAVAILABLE',
  '40003': 'UNAVAILABLE',
  '40P01': 'UNAVAILABLE',
  /** Too few resources: a full disk, too little memory, a configured limit. */
  '53': 'UNAVAILABLE',
  /** Too many connections. */
  '53300': 'UNAVAILABLE_BROKEN',
  /** An object in use, and a lock that is not available within its limit. */
  '55006': 'UNAVAILABLE',
  '55P03': 'UNAVAILABLE',
  /** A statement that was cancelled, or is over its time limit. */
  '57014': 'UNAVAILABLE',
  /** Shutdowns, crashes, start-ups, a dropped database, an idle session. */
  '57P': 'UNAVAILABLE_BROKEN',
  /** Errors of the system around PostgreSQL, such as I/O errors. */
  '58': 'UNAVAILABLE',
  /** A snapshot that is too old for a statement. */
  '72000': 'UNAVAILABLE',
  /** Internal errors and damaged data: an operator has to see them, so that they are not hidden as an outage. */
  XX: 'PERMANENT',
};
const SQLSTATE_LENGTH = 5;
const RERUN_STATES: readonly string[] = ['40001', '40P01'];

function verdictOf({ code = '' }: pg.DatabaseError): Verdict {
  for (let length = SQLSTATE_LENGTH; length > 0; length -= 1) {
    const verdict = VERDICTS[code.slice(0, length)];
    if (verdict) return verdict;
  }
  return 'PERMANENT';
}

/** Errors of the driver that have no code. */
const UNAVAILABLE_MESSAGES: readonly string[] = [
  'Connection terminated',
  'Connection terminated unexpectedly',
  'Client has encountered a connection error and is not queryable',
  'Client was closed and is not queryable',
  'Query read timeout',
];

export function isUnavailable(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return verdictOf(error) !== 'PERMANENT';
  if (!(error instanceof Error)) return false;
  return 'syscall' in error || UNAVAILABLE_MESSAGES.includes(error.message);
}

/** Whether the connection must not be used again. */
export function breaksConnection(error: unknown): boolean {
  if (error instanceof pg.DatabaseError) return verdictOf(error) === 'UNAVAILABLE_BROKEN';
  return isUnavailable(error);
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

/** Whether a statement failed only because an earlier one of its transaction has. */
export function isAborted(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === '25P02';
}

/** What `require_rows` of the database raises. */
const CHANGED_STATE = 'FW001';

/** Whether a statement failed because not all it was to change is as it was when it was read. */
export function isChanged(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === CHANGED_STATE;
}

/** What `require_epoch` of the database raises. */
const EPOCH_ENDED_STATE = 'FW002';

/** Whether a statement failed because another node has taken over from this one. */
export function isEpochEnded(error: unknown): boolean {
  return error instanceof pg.DatabaseError && error.code === EPOCH_ENDED_STATE;
}

/** Whether a statement failed because it would have broken the named constraint or unique index. */
export function violates(error: unknown, constraint: string): boolean {
  return (
    error instanceof pg.DatabaseError &&
    (error.code ?? '').startsWith('23') &&
    error.constraint === constraint
  );
}
