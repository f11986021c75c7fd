import { ERROR_CODES, type ErrorCode, type FieldError, type Problem } from '@fieldwatch/contract';

interface FailedReply {
  readonly code: ErrorCode | 'UNRECOGNIZED';
  readonly status: number;
  readonly detail: string;
  readonly errors: readonly FieldError[];
  readonly requestId: string | null;
  readonly retryAfterSeconds: number | null;
}

/** The service, or something before it, answered with a failure. */
export class FieldwatchError extends Error implements FailedReply {
  override readonly name = 'FieldwatchError';
  /** `UNRECOGNIZED` for a reply that is not the service's own, or a code newer than this client. */
  readonly code: ErrorCode | 'UNRECOGNIZED';
  readonly status: number;
  /** What went wrong this time, in a sentence. */
  readonly detail: string;
  /** Every bad field, for `INVALID_REQUEST`. */
  readonly errors: readonly FieldError[];
  /** Names the request in the service's log. */
  readonly requestId: string | null;
  /** How long to wait before another try, where the service says so. */
  readonly retryAfterSeconds: number | null;

  constructor(reply: FailedReply) {
    super(reply.detail);
    this.code = reply.code;
    this.status = reply.status;
    this.detail = reply.detail;
    this.errors = reply.errors;
    this.requestId = reply.requestId;
    this.retryAfterSeconds = reply.retryAfterSeconds;
  }
}

/** No whole answer came. Whether the service did what was asked is not known. */
export class ConnectionError extends Error {
  override readonly name = 'ConnectionError';
  readonly reason: 'UNREACHABLE' | 'TIMEOUT';

  constructor(reason: 'UNREACHABLE' | 'TIMEOUT', message: string, cause?: unknown) {
    super(message, { cause });
    this.reason = reason;
  }
}

/** What a reply's text says of a failure, if it is a problem of the service. */
function problemIn(text: string): { readonly [K in keyof Problem]?: unknown } | undefined {
  try {
    const value: unknown = JSON.parse(text);
    return typeof value === 'object' && value !== null && 'code' in value ? value : undefined;
  } catch {
    return undefined;
  }
}

/** A proxy may give a date here; the service gives seconds. */
function secondsIn(header: string | null): number | null {
  return header !== null && /^\d{1,9}$/.test(header) ? Number(header) : null;
}

/** The failure that a reply stands for. */
export function failureOf(status: number, headers: Headers, text: string): FieldwatchError {
  const problem = problemIn(text);
  const detail = problem?.detail;
  const errors = problem?.errors;
  return new FieldwatchError({
    code: ERROR_CODES.find((code) => code === problem?.code) ?? 'UNRECOGNIZED',
    status,
    detail:
      typeof detail === 'string' ? detail : `The reply, of status ${status}, is not the service's.`,
    errors: Array.isArray(errors) ? (errors as FieldError[]) : [],
    requestId: headers.get('x-request-id'),
    retryAfterSeconds: secondsIn(headers.get('retry-after')),
  });
}
