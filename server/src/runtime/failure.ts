import { ERRORS, type ErrorCode, type FieldError } from '@fieldwatch/contract';

interface FailureOptions {
  /** Every bad field, for failures of the request itself. */
  readonly errors?: readonly FieldError[];
  /** When trying again may help. */
  readonly retryAfterSeconds?: number;
  readonly cause?: unknown;
  /** What the request wrote before it failed is committed all the same. */
  readonly keepsWrites?: boolean;
}

/** An expected way to fail: a code from the closed list and a sentence for the caller. */
export class Failure extends Error {
  override readonly name = 'Failure';
  readonly code: ErrorCode;
  readonly errors: readonly FieldError[] | undefined;
  readonly retryAfterSeconds: number | undefined;
  readonly keepsWrites: boolean;

  constructor(code: ErrorCode, detail: string, options: FailureOptions = {}) {
    super(detail, { cause: options.cause });
    this.code = code;
    this.errors = options.errors;
    this.retryAfterSeconds = options.retryAfterSeconds;
    this.keepsWrites = options.keepsWrites ?? false;
  }

  get status(): number {
    return ERRORS[this.code].status;
  }
}

/** Whether the server cannot do it at the moment, for any reason: the same request may succeed later. */
export function isServiceUnavailable(error: unknown): boolean {
  return error instanceof Failure && error.status === 503;
}

/** A request whose named fields are wrong. */
export function invalid(...errors: readonly FieldError[]): Failure {
  return new Failure(
    'INVALID_REQUEST',
    errors.map(({ path, message }) => `${path} ${message}`).join('; '),
    { errors },
  );
}

/** What is stored cannot be read or changed at the moment; `detail` says why. */
export function temporarilyUnavailable(detail: string): Failure {
  return new Failure('STORAGE_UNAVAILABLE', detail, { retryAfterSeconds: 2 });
}

export function shuttingDown(): Failure {
  return new Failure('OVERLOADED', 'The server is shutting down.', { retryAfterSeconds: 1 });
}

export function notFound(noun: string): Failure {
  return new Failure('NOT_FOUND', `There is no such ${noun}.`);
}
